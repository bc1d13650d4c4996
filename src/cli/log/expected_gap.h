// SPDX-License-Identifier: BSD-2-Clause
// expected_gap: computes how long a log may be silent while its process works. The log's header has
// its rate, which makes the next snapshot wait once the log's beginning is spent. Only a longer
// silence shows that nothing moves. The gap is computed from the bytes read, in the same way as the
// library does. The beginning is not available at once: it grows with the process's age.

#ifndef PMEM_CLI_EXPECTED_GAP_H
#define PMEM_CLI_EXPECTED_GAP_H

#include <stdint.h>

// A zeroed struct makes nothing wait.
struct expected_gap {
	uint64_t begin, rate; // bytes of the beginning; then bytes an hour, 0 if there is no rate
	// bytes of the beginning available at once; the age at which all are, 0 for at once
	uint64_t first, grown_ms;
	int64_t start_ms;     // when the process began
	uint64_t bytes;       // bytes of the log since the last snapshot; the reader adds them
	double spent;         // bytes of the beginning spent, at the last snapshot
	int64_t time_ms;      // when that snapshot was written; 0 if there was none or it has no time
};

// Adds a snapshot that was written at time_ms. spent_at_first is how much of the beginning the log
// had spent before its first snapshot. Returns how many milliseconds the next snapshot may have to
// wait.
int64_t expected_gap_add(struct expected_gap *gap, int64_t time_ms, uint64_t spent_at_first);

#endif
