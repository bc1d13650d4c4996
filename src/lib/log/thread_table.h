// SPDX-License-Identifier: BSD-2-Clause
// thread_table: the threads in a snapshot: what each thread has counted, and its name. Also tells
// which thread has allocated more than half of a source's bytes.
//
// Who may call: the one thread that writes a snapshot. Never allocates but pages of its own, waits
// for nobody. A name that cannot be read is written as `-`.
//
// A thread's counters are in its slot. When a thread has ended, a later thread takes over its slot,
// with the counters in it. The counts of ended threads are shown as one sum. All sums are exact:
// each count belongs to a shown thread, to the ended threads or to the rest.

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
	// Upper bounds in bytes: of a line, and of the field " by:...". A line has 8 numbers of 20
	// digits and a name of 15 bytes, which is escaped.
	THREAD_TABLE_LINE_BYTES = 320,
	THREAD_TABLE_MOST_BYTES = 96,
};
#define THREAD_TABLE_LINES_BYTES ((PMEM_SHOW_THREADS + 2) * THREAD_TABLE_LINE_BYTES)

// Upper bound of the memory that this module maps, beside the library's image.
#define THREAD_TABLE_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_SOURCES * sizeof(uint32_t))

// Called before tally_look(). `now` is the index of this snapshot's sums, as in tally_begin().
// `sources` is the number of sources.
void thread_table_begin(unsigned now, uint32_t sources);

// Records which thread has allocated most of a source's bytes. `bytes` is how many bytes all
// threads together have allocated.
void thread_table_note(uint32_t source, const struct tally_most *most, uint64_t bytes);

// Called after tally_look(). Finds which slots have living threads, what each thread has counted,
// and which threads to show. A thread may be shown if its counts changed since the last snapshot.
// With `all`, for the process's last snapshot, each thread with counts may be shown. `total` has
// the counters of all sources together.
void thread_table_look(const struct change *total, bool all);

// Reads the name of the thread that has allocated most of a source's bytes. Called for each source
// that will be shown.
void thread_table_want(uint32_t source);

// Writes the snapshot's lines about threads.
void thread_table_write(struct text *text);

// Writes " by:ID/NAME/PERCENT%" for the thread that allocated more than half of the source's bytes.
// Writes nothing if there is no such thread, or if the process has only one thread.
void thread_table_write_most(struct text *text, uint32_t source);

// If the kernel refused to let the parent read thread names, a fork's child tries again.
void thread_table_fork(void);

#endif
