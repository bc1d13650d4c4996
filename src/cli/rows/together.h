// together: when several logs' processes had most in all.

#ifndef PMEM_CLI_TOGETHER_H
#define PMEM_CLI_TOGETHER_H

#include <stdbool.h>
#include <stdint.h>

// The time of the snapshot at which what is live in all these logs added up to most: in each,
// what its last snapshot no later has; nothing before its first one, and behind its process's exit.
// False: there is no such time, since a log has no times, or cannot be read twice.
bool together_peak(char **paths, int64_t *time_ms);

#endif
