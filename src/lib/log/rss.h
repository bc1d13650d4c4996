// SPDX-License-Identifier: BSD-2-Clause
// rss: the resident memory of this process as the kernel tells it, to be compared with what we
// counted.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits
// for nobody, keeps errno. Where /proc is not to be had nothing is known: nothing is guessed.
//
// Pages that are swapped out, and those of hugetlbfs, are not resident. Older kernels count
// some pages late: before Linux 6.2 up to 64 a thread; then, on each processor, of each of
// three kinds of page, up to twice as many as there are processors, but at least 32.

#ifndef PMEM_RSS_H
#define PMEM_RSS_H

#include <stdbool.h>
#include <stdint.h>

struct rss {
	bool known;
	uint64_t bytes; // resident
	uint64_t file;  // of these, in pages of files and of shared memory
	uint64_t most;  // that was ever resident (VmHWM of proc(5)); 0: not known
};

// Called once, at the start: what rss_may_have_been() asks is asked for once then, so that it is
// nothing new to a sandbox in which the program is by the end.
void rss_start(void);

// Now; all but `most`.
void rss_look(struct rss *rss);

// That, too.
void rss_look_back(struct rss *rss);

// Whether more than that may ever have been resident, for a tenth of what a look costs: of what the
// process was before it called exec(), too.
bool rss_may_have_been(uint64_t bytes);

// In a fork's child.
void rss_fork(void);

#endif
