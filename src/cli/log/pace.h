// SPDX-License-Identifier: BSD-2-Clause
// pace: for how long a log may be silent though its process works. The log's rate (its header has
// it) makes the next snapshot wait once its beginning is spent; only a longer silence tells that
// nothing moves. It is reckoned as the library does (lib/churn.c), by the bytes that were read. The
// beginning is not there at once, but grows with the process's age.

#ifndef PMEM_CLI_PACE_H
#define PMEM_CLI_PACE_H

#include <stdint.h>

// A zeroed one makes nothing wait.
struct pace {
	uint64_t begin, rate; // bytes, and bytes an hour from then on; 0: no rate
	uint64_t first, grown_ms; // what of the beginning is there at once, and at what age all; 0: at once
	int64_t start_ms;     // when the process began
	uint64_t bytes;       // of the log since the last snapshot, counted by whoever reads it
	double spent;         // of the beginning, at the last snapshot
	int64_t time_ms;      // when that was written; 0: there was none, or it does not say
};

// At a snapshot that was written then, of a log that had spent so many bytes of its beginning
// before its first. For how many milliseconds the next one may have to wait.
int64_t pace_add(struct pace *pace, int64_t time_ms, uint64_t spent_at_first);

#endif
