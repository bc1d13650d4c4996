// SPDX-License-Identifier: BSD-2-Clause
// expected_gap: for how long a log may be silent though its process works. The log's rate (its
// header has it) makes the next snapshot wait once its beginning is spent. Only a longer silence
// tells that nothing moves. The gap is computed from the bytes that were read, as the library does.
// The beginning is not there at once, but grows with the process's age.

#ifndef PMEM_CLI_EXPECTED_GAP_H
#define PMEM_CLI_EXPECTED_GAP_H

#include <stdint.h>

// A zeroed one makes nothing wait.
struct expected_gap {
	uint64_t begin, rate; // bytes, and bytes an hour from then on; 0: no rate
	uint64_t first, grown_ms; // what of the beginning is there at once, and at what age all; 0: at once
	int64_t start_ms;     // when the process began
	uint64_t bytes;       // of the log since the last snapshot, counted by whoever reads it
	double spent;         // of the beginning, at the last snapshot
	int64_t time_ms;      // when that was written; 0: there was none, or it does not say
};

// Takes in a snapshot that was written then, of a log that had spent so many bytes of its beginning
// before its first. Returns for how many milliseconds the next one may have to wait.
int64_t expected_gap_add(struct expected_gap *gap, int64_t time_ms, uint64_t spent_at_first);

#endif
