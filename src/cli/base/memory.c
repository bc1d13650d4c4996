// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/budget.h"
#include "base/message.h"
#include "base/memory.h"

enum {
	ROOM_FIRST = 256, // size of a new array in bytes; one item, if an item is larger
	LOOK_BYTES = 8 << 20,
	CHUNK_BYTES = 64 * 1024,
	ALIGNMENT = _Alignof(max_align_t),
};

struct arena_chunk {
	struct arena_chunk *next;
	size_t bytes;
	max_align_t memory[];
};

unsigned long long memory_most;

// Finds the line of a /proc file that begins with `line`. Returns the number in this line, a size
// in kilobytes. Returns 0 if the file has no such line.
static unsigned long long
kilobytes(const char *path, const char *line)
{
	char text[128];
	unsigned long long number = 0;
	FILE *file = fopen(path, "re");

	while (file && number == 0 && fgets(text, sizeof(text), file))
		if (strncmp(text, line, strlen(line)) == 0)
			number = strtoull(text + strlen(line), NULL, 10);
	if (file)
		fclose(file);
	return number;
}

// Counts allocated bytes. After each LOOK_BYTES, checks whether our resident memory exceeds the
// budget, and if so ends the process. Otherwise the machine might run out of memory, and the kernel
// would kill some process, maybe not ours.
static void
spend(size_t bytes)
{
	static unsigned long long spent;

	spent += bytes;
	if (spent < LOOK_BYTES)
		return;
	spent = 0;
	if (memory_most == 0) {
		memory_most = kilobytes("/proc/meminfo", "MemAvailable:") * 1024 / 2;
		if (memory_most < BUDGET_MEMORY_BYTES)
			memory_most = BUDGET_MEMORY_BYTES;
	}
	if (kilobytes("/proc/self/status", "VmRSS:") * 1024 > memory_most)
		die(EXIT_DATA, "more than %llu MiB of memory are needed, and more than a half of what is "
			"free: ask for one log at a time, or elsewhere", memory_most >> 20);
}

void *
memory_get(size_t count, size_t size)
{
	spend(count * size);
	void *memory = calloc(count ? count : 1, size ? size : 1);
	if (!memory)
		die(EXIT_DATA, "out of memory");
	return memory;
}

void *
memory_room(void *items, size_t need, size_t *room, size_t size)
{
	size_t more = *room ? *room : size < ROOM_FIRST ? ROOM_FIRST / size : 1;

	if (items && need <= *room)
		return items;
	ASSERT(need <= PTRDIFF_MAX / size && (items || *room == 0));
	while (more < need)
		more *= 2;
	spend((more - *room) * size);
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
memory_sort(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
	if (count > 0)
		qsort(items, count, size, order);
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
	ASSERT(bytes <= PTRDIFF_MAX);
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
