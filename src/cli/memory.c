#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "memory.h"

void *
memory_get(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);
	if (!memory)
		die(EXIT_DATA, "out of memory");
	return memory;
}

void *
memory_grow(void *items, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return items;
	size_t more = *room ? *room * 2 : 16;
	items = reallocarray(items, more, size);
	if (!items)
		die(EXIT_DATA, "out of memory");
	memset((char *)items + *room * size, 0, (more - *room) * size);
	*room = more;
	return items;
}

char *
memory_text(const char *text, size_t length)
{
	char *copy = memory_get(length + 1, 1);
	memcpy(copy, text, length);
	return copy;
}
