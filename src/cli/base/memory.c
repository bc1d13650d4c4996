#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/memory.h"

enum {
	ROOM_FIRST = 16, // items
	CHUNK_BYTES = 64 * 1024,
	ALIGNMENT = _Alignof(max_align_t),
};

struct arena_chunk {
	struct arena_chunk *next;
	size_t bytes;
	max_align_t memory[];
};

void *
memory_get(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);
	if (!memory)
		die(EXIT_DATA, "out of memory");
	return memory;
}

void *
memory_room(void *items, size_t need, size_t *room, size_t size)
{
	size_t more = *room ? *room : ROOM_FIRST;

	if (items && need <= *room)
		return items;
	while (more < need)
		more *= 2;
	items = reallocarray(items, more, size);
	if (!items)
		die(EXIT_DATA, "out of memory");
	memset((char *)items + *room * size, 0, (more - *room) * size);
	*room = more;
	return items;
}

void *
memory_grow(void *items, size_t count, size_t *room, size_t size)
{
	return memory_room(items, count + 1, room, size);
}

void
bytes_add(struct bytes *bytes, const void *more, size_t length)
{
	bytes->at = memory_room(bytes->at, bytes->count + length, &bytes->room, 1);
	memcpy(bytes->at + bytes->count, more, length);
	bytes->count += length;
}

char *
memory_text(const char *text, size_t length)
{
	char *copy = memory_get(length + 1, 1);
	memcpy(copy, text, length);
	return copy;
}

char *
memory_format_list(const char *format, va_list arguments)
{
	char *text;
	if (vasprintf(&text, format, arguments) < 0)
		die(EXIT_DATA, "out of memory");
	return text;
}

char *
memory_format(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = memory_format_list(format, arguments);
	va_end(arguments);
	return text;
}

void
compose_begin(struct compose *compose)
{
	compose->to = open_memstream(&compose->text, &compose->length);
	if (!compose->to)
		die(EXIT_DATA, "out of memory");
}

char *
compose_end(struct compose *compose)
{
	if (ferror(compose->to) || fclose(compose->to) != 0)
		die(EXIT_DATA, "out of memory");
	return compose->text;
}

void *
arena_get(struct arena *arena, size_t bytes)
{
	bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (!arena->chunks || arena->chunks->bytes - arena->used < bytes) {
		size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
		struct arena_chunk *chunk = memory_get(1, sizeof(*chunk) + room);
		chunk->bytes = room;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
		arena->used = 0;
	}
	void *memory = (char *)arena->chunks->memory + arena->used;
	arena->used += bytes;
	return memory;
}

char *
arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_get(arena, length + 1);
	memcpy(copy, text, length);
	return copy;
}

void
arena_free(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *chunk = arena->chunks;
		arena->chunks = chunk->next;
		free(chunk);
	}
	arena->used = 0;
}
