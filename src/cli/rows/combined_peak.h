// SPDX-License-Identifier: BSD-2-Clause
// combined_peak: finds when the processes of several logs had most live memory together.

#ifndef PMEM_CLI_COMBINED_PEAK_H
#define PMEM_CLI_COMBINED_PEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/summary_scan.h"

// Sets *time_ms to the time of the snapshot at which the logs' live bytes had their greatest sum.
// For each log, the last snapshot up to that time is counted. Nothing is counted before a log's
// first snapshot, or after its process's exit. Returns false if a log has no times, or if there is
// no snapshot.
bool combined_peak(const struct summaries *logs, size_t count, int64_t *time_ms);

// Reads the logs, then calls combined_peak(). Also returns false if a log cannot be opened or read twice.
bool combined_peak_of(char **paths, int64_t *time_ms);

#endif
