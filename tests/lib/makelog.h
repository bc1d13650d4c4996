// makelog: writes logs of format 1 that no process wrote, with known answers: what the library
// would have written for a history that a test makes up. It keeps the books (totals, deltas,
// {rest}, what is shown and hidden), so that tests speak of calls of malloc and free alone.

#ifndef TESTS_MAKELOG_H
#define TESTS_MAKELOG_H

#include <stdint.h>
#include <stdio.h>

struct makelog;

struct makelog_options {
	long pid;          // 0: 4242
	const char *start; // "": 2026-11-21T00:00:00.000Z
	unsigned show, show_empty; // 0: 100, 25
	const char *exe;   // NULL: /usr/bin/server
};

struct makelog *makelog_open(FILE *file, const struct makelog_options *options);

// A source whose stack is malloc < names... < main < _start, innermost first, "alloc_it/handle";
// its number. A name may have its module before a colon, as in "libx.so:parse".
int makelog_source(struct makelog *log, const char *names);

void makelog_malloc(struct makelog *log, int source, uint64_t calls, uint64_t bytes_each);
void makelog_free(struct makelog *log, int source, uint64_t calls, uint64_t bytes_each);

// A block, so many milliseconds after the last one (or the start). The reason: "churn" ...
void makelog_block(struct makelog *log, uint64_t ms, const char *reason);

void makelog_close(struct makelog *log); // not the file

#endif
