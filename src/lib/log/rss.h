// SPDX-License-Identifier: BSD-2-Clause
// rss: how much memory of this process is resident, as the kernel reports it. The log compares it
// with what we counted.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits for
// nobody, keeps errno. If /proc cannot be read, `known` is false, and no number is guessed.
//
// Pages that are swapped out, and pages of hugetlbfs, are not resident. The kernel counts some
// pages late. Before Linux 6.2, up to 64 pages of each thread are not counted yet. Later kernels
// count three kinds of page. For each kind, each processor may have N pages that are not counted
// yet. N is twice the number of processors, but at least 32.

#ifndef PMEM_RSS_H
#define PMEM_RSS_H

#include <stdbool.h>
#include <stdint.h>

struct rss {
	bool known;
	uint64_t bytes; // resident bytes of the process
	uint64_t file;  // how much of `bytes` is in pages of files or of shared memory
	uint64_t most;  // the maximum so far (VmHWM of proc(5)); 0 if not known
	uint64_t threads; // threads that are alive (Threads of proc(5)); 0 if not known
	bool knows_shared;
	uint64_t shared; // how much of `file` is shared memory (RssShmem of proc(5))
};

// Called once, at the start. Tries the system call that rss_may_have_been() makes. If the call
// fails, it is never made again. If a sandbox kills the process for this call, that happens now,
// and not after all of the program's work.
void rss_start(void);

// Sets `known`, `bytes` and `file`.
void rss_look(struct rss *rss);

// Sets the other fields. Tells file_keep_within() what it needs.
void rss_look_back(struct rss *rss);

// Returns true if more than `bytes` may ever have been resident in this process, also before an
// exec(). Costs a tenth of rss_look().
bool rss_may_have_been(uint64_t bytes);

// If the kernel refused to let the parent read /proc, a fork's child tries again.
void rss_fork(void);

#endif
