// SPDX-License-Identifier: BSD-2-Clause
// thread_table: the threads, as a snapshot tells of them: what each has counted, its name, and of
// which sources it has allocated most.
//
// Who may call: the one thread that writes a snapshot. Never allocates but pages of its own,
// waits for nobody. A name that cannot be had is `-`.
//
// A slot goes from a thread that is gone to a later one, with its counters: what these were
// then is told of all threads together that are gone. All sums are exact: each count is of one
// of the threads that are shown, of those that are gone, or of the rest.

#ifndef PMEM_THREAD_TABLE_H
#define PMEM_THREAD_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/counter.h"
#include "base/table.h"
#include "sources/tally.h"

struct text;

_Static_assert(PMEM_SHOW_THREADS >= 0 && PMEM_SHOW_THREADS <= 4096,
	"PMEM_SHOW_THREADS must be from 0 to 4096 threads");

enum {
	// Bounds of what is written: 8 numbers of 20 digits, and a name of 15 bytes.
	THREAD_TABLE_LINE_BYTES = 320,
	THREAD_TABLE_MOST_BYTES = 96,
};
#define THREAD_TABLE_LINES_BYTES ((PMEM_SHOW_THREADS + 2) * THREAD_TABLE_LINE_BYTES)

// The most memory that it takes beside the library's own.
#define THREAD_TABLE_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_SOURCES * sizeof(uint32_t))

// Before tally_look(): there are so many sources.
void thread_table_begin(unsigned now, uint32_t sources);

// Who has allocated most of a source, of which so many bytes were.
void thread_table_note(uint32_t source, const struct tally_most *most, uint64_t bytes);

// Behind it: which slots' threads live, what each has counted, and whom to show: at the end (`all`)
// those that have not moved, too. `total` is over all sources.
void thread_table_look(const struct change *total, bool all);

// The source is to be shown: who has allocated most of it shall have a name.
void thread_table_want(uint32_t source);

// The lines of a snapshot.
void thread_table_write(struct text *text);

// " by:ID/NAME/PERCENT%", or nothing: no thread has allocated more than half of the source's
// bytes, or there has been one thread only.
void thread_table_write_most(struct text *text, uint32_t source);

// In a fork's child. What its parent had open is closed, unless the two may share their
// descriptors.
void thread_table_fork(void);

#endif
