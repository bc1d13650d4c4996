// SPDX-License-Identifier: BSD-2-Clause
// memory: the reader's own memory. If there is too little, the process ends with EXIT_DATA, because
// no output would be right any more. The process also ends if it needs more than the budget
// (budget.h).

#ifndef PMEM_CLI_MEMORY_H
#define PMEM_CLI_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

// The budget in bytes; 0 until it is known. Tests set it.
extern unsigned long long memory_most;

// Returns zeroed memory.
void *memory_get(size_t count, size_t size);

// Makes room for so many items. *room is how many there is room for, 0 at first. New room is
// zeroed.
void *memory_room(void *items, size_t need, size_t *room, size_t size);

// Does the same for one more item after `count`.
void *memory_grow(void *items, size_t count, size_t *room, size_t size);

// Bytes that grow, not terminated. A zeroed struct has none.
struct bytes {
	char *at;
	size_t count, room;
};

void bytes_add(struct bytes *bytes, const void *more, size_t length);

// Returns a terminated copy.
char *memory_text(const char *text, size_t length);

// Returns what printf() would print.
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *memory_format_list(const char *format, va_list arguments)
	__attribute__((format(printf, 1, 0)));

// A text of any length, made by printing. The struct must not move between begin and end.
struct compose {
	FILE *to; // to print to
	char *text;
	size_t length;
};

void compose_begin(struct compose *compose);
char *compose_end(struct compose *compose); // returns the text; the caller frees it

// Memory that is freed all at once. A zeroed struct is empty.
struct arena {
	struct arena_chunk *chunks;
	size_t used; // bytes of the newest chunk
};

// Returns zeroed memory, aligned for any type.
void *arena_get(struct arena *arena, size_t bytes);
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_free(struct arena *arena);

#endif
