// SPDX-License-Identifier: BSD-2-Clause
// expected_gap: computes how long a log may have no new snapshot although its process allocates.
// The library limits a log's size. It has an allowance: a number of bytes that it may write at any
// speed. When the allowance is spent, the library may write only a limited number of bytes an hour.
// So the next snapshot has to wait. The log's header has both numbers. Only a process that writes
// no snapshot for longer than this wait has stopped allocating.
//
// The wait is computed from the bytes of the log, as the library itself computes it. At the
// process's start only a part of the allowance is available. This part grows with the process's
// age.

#ifndef PMEM_CLI_EXPECTED_GAP_H
#define PMEM_CLI_EXPECTED_GAP_H

#include <stdint.h>

// All zeros means that the log has no limit: no snapshot has to wait.
struct expected_gap {
	uint64_t begin, rate; // the allowance in bytes; the bytes an hour, 0 if there is no limit
	// first: bytes of the allowance that are available at the process's start. grown_ms: the
	// process's age in ms from which the whole allowance is available; 0 if from the start
	uint64_t first, grown_ms;
	int64_t start_ms;     // when the process began
	uint64_t bytes;       // bytes of the log read since the last snapshot; log.c adds them
	double spent;         // spent bytes of the allowance, including the last snapshot
	// when the last snapshot was written; 0 before the first snapshot, or without times
	int64_t time_ms;
};

// Adds a snapshot that was written at time_ms. spent_at_first is how many bytes of the allowance
// were spent before the log's first snapshot. Returns how many milliseconds the next snapshot may
// be delayed.
int64_t expected_gap_add(struct expected_gap *gap, int64_t time_ms, uint64_t spent_at_first);

#endif
