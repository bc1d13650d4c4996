// SPDX-License-Identifier: BSD-2-Clause
// memory: the reader's own memory. A lack of it ends the process with EXIT_DATA; nothing else
// could be said truthfully any more. So does to need more than the budget (budget.h).

#ifndef PMEM_CLI_MEMORY_H
#define PMEM_CLI_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

// The budget, once it is known; 0 before. Tests set it.
extern unsigned long long memory_most;

// Zeroed.
void *memory_get(size_t count, size_t size);

// Room for so many items; *room is how many there is room for, 0 at first. The new room is
// zeroed.
void *memory_room(void *items, size_t need, size_t *room, size_t size);

// The same for one more behind `count` of them.
void *memory_grow(void *items, size_t count, size_t *room, size_t size);

// Bytes that become more; not terminated. A zeroed struct has none.
struct bytes {
	char *at;
	size_t count, room;
};

void bytes_add(struct bytes *bytes, const void *more, size_t length);

// A copy, terminated.
char *memory_text(const char *text, size_t length);

// What printf() would print.
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *memory_format_list(const char *format, va_list arguments)
	__attribute__((format(printf, 1, 0)));

// A text of any length, put together by printing. The struct stays where it is from begin to
// end.
struct compose {
	FILE *to; // to print to
	char *text;
	size_t length;
};

void compose_begin(struct compose *compose);
char *compose_end(struct compose *compose); // the text, to be freed

// Memory that is given back all at once. A zeroed struct is an empty one.
struct arena {
	struct arena_chunk *chunks;
	size_t used; // of the newest chunk
};

// Zeroed, aligned for anything.
void *arena_get(struct arena *arena, size_t bytes);
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_free(struct arena *arena);

#endif
