// SPDX-License-Identifier: BSD-2-Clause
// memory: allocates the reader's own memory. If memory is short, the process ends with EXIT_DATA,
// because its output would be incomplete. The process also ends if it needs more memory than the
// budget (budget.h).

#ifndef PMEM_CLI_MEMORY_H
#define PMEM_CLI_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

// The budget in bytes; 0 until it is computed. A test may set it.
extern unsigned long long memory_most;

// Returns zeroed memory.
void *memory_get(size_t count, size_t size);

// Makes room for at least `need` items of `size` bytes in the array `items`. Returns the array,
// which may have moved. *room is how many items fit into the array; it must be 0 at first. New room
// is zeroed.
void *memory_room(void *items, size_t need, size_t *room, size_t size);

// Does the same as memory_room(), with count + 1 as `need`.
void *memory_grow(void *items, size_t count, size_t *room, size_t size);

// Sorts as qsort() does. Of no items, `items` may be NULL, which qsort() does not allow.
void memory_sort(void *items, size_t count, size_t size, int (*order)(const void *, const void *));

// A growing array of bytes, which is not terminated. A zeroed struct is empty.
struct bytes {
	char *at;
	size_t count, room;
};

void bytes_add(struct bytes *bytes, const void *more, size_t length);

// Returns a terminated copy of the text's first `length` bytes.
char *memory_text(const char *text, size_t length);

// Returns the text that printf() would print. The caller frees it.
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *memory_format_list(const char *format, va_list arguments)
	__attribute__((format(printf, 1, 0)));

// Makes a text of any length by printing to `to`. The struct must not be moved between
// compose_begin() and compose_end().
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
	size_t used; // number of used bytes in the newest chunk, which is first in `chunks`
};

// Returns zeroed memory, aligned for any type.
void *arena_get(struct arena *arena, size_t bytes);
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_free(struct arena *arena);

#endif
