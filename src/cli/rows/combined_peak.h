// SPDX-License-Identifier: BSD-2-Clause
// combined_peak: when the processes of several logs had most in all.

#ifndef PMEM_CLI_COMBINED_PEAK_H
#define PMEM_CLI_COMBINED_PEAK_H

#include <stdbool.h>
#include <stdint.h>

// The time of the snapshot at which what is live in all these logs added up to most: in each,
// what its last snapshot no later has; nothing before its first one, and behind its process's exit.
// False: there is no such time, since a log has no times, or cannot be read twice.
bool combined_peak(char **paths, int64_t *time_ms);

#endif
