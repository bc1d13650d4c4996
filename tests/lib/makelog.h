// makelog: writes logs of format 1 or 2 that no process wrote, with known answers: what the library
// would have written for a history that a test makes up. It keeps the books (totals, deltas,
// {rest}, what is shown and hidden), so that tests speak of calls of malloc and free alone.
//
// It shares no code with library or reader. A mistake of the test (more freed than was
// allocated, no such source) and a lack of memory end the process by abort().

#ifndef TESTS_MAKELOG_H
#define TESTS_MAKELOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct makelog;

struct makelog_options {
	long pid, ppid;    // 0: 4242, 1
	const char *start; // NULL or "": 2026-11-21T00:00:00.000Z
	const char *exe;   // NULL: /usr/bin/server
	const char *host;  // NULL: box
	unsigned show, show_empty; // 0: 100, 25
	bool without_emptied; // as before there was emptied=: these sources are in {rest}
	bool without_memory;  // no rss= and what follows: there is no /proc
	bool tells_once;      // format 2: a stack stands behind a header once, and there is a peak
	uint64_t sampled;     // as the header has it; 0: it is not there
	uint64_t first_snapshot; // its number: what stood before is in a file that is gone
};

enum { MAKELOG_OTHER = 0 }; // the source {other}

// Writes nothing yet: the header goes before the first snapshot. Where the file has bytes
// already, as behind an exec, an empty line goes before that.
struct makelog *makelog_open(FILE *file, const struct makelog_options *options);

// A source whose stack is malloc < names... < main < _start, innermost first, "alloc_it/handle";
// its number. A name may have its module before a colon, as in "libx.so:parse"; that lies in
// /usr/lib. Where the first name's module is libpmem.so it is the hook in malloc's stead.
// "@python:|srv|app.py:12 in get": a line of that language, each | a slash of its path.
// "?": a frame without a symbol; "-": one without a module, too. Equal names are one source.
// Its id depends on the names alone, so it is the same in another log.
int makelog_source(struct makelog *log, const char *names);

// The same without main and _start, and with nothing added but the hook.
int makelog_stack(struct makelog *log, const char *names);

uint64_t makelog_id(const struct makelog *log, int source);

void makelog_malloc(struct makelog *log, int source, uint64_t calls, uint64_t bytes_each);
void makelog_free(struct makelog *log, int source, uint64_t calls, uint64_t bytes_each);

// From here on the source's entries say that its blocks may be freed past the library.
void makelog_unseen(struct makelog *log, int source);

// So many bytes are live, so many milliseconds after the last snapshot and before the next: a peak
// that no snapshot shows.
void makelog_spike(struct makelog *log, uint64_t ms, uint64_t bytes);

// The `losses` line has name=count from the next snapshot on.
void makelog_lose(struct makelog *log, const char *name, uint64_t count);

// From here on so many bytes are in memory beside what is live: of files, and others. 4 MiB each
// where this is not called.
void makelog_memory(struct makelog *log, uint64_t other, uint64_t file);

// A `# note` line, behind the header.
void makelog_note(struct makelog *log, const char *text);

// A snapshot, so many milliseconds after the last one (or the start). The reason: "churn" ...
// At "exit" it shows all that hold memory. "asked:LABEL" has a label, as it is to stand there.
void makelog_snapshot(struct makelog *log, uint64_t ms, const char *reason);

// From here on snapshots go to this file, which may be the same: the next one has the header and
// all modules again.
void makelog_rotate(struct makelog *log, FILE *file);

// The log of a child that is forked now: it has the parent's memory, and its deltas count
// from here.
struct makelog *makelog_fork(const struct makelog *log, FILE *file, long pid);

void makelog_close(struct makelog *log); // not the file

#endif
