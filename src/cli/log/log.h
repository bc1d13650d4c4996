// SPDX-License-Identifier: BSD-2-Clause
// log: a log, snapshot by snapshot, and after each what is known of every source.
//
// A log is a file, its rotated pieces (.log.2, .log.1, .log: read in that order), or standard
// input ("-"). It may still be being written: log_next() says NULL at the end, and when called
// again goes on with what has been written since. Memory grows with the number of distinct
// sources and frames, not with the log.
//
// Damage: what cannot be read is warned about, `FILE:LINE: what: expected what`, at most ten
// times a log, and skipped; a snapshot that was cut off is left out and counted. Nothing here
// ends the process but a lack of memory.

#ifndef PMEM_CLI_LOG_H
#define PMEM_CLI_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/moment.h"
#include "log/certainty.h"
#include "log/run.h"
#include "log/snapshot.h"

struct log;

// A log by its path; "-" is standard input. Rotated pieces are found beside it. NULL after a
// warning: there is no such file, or it cannot be read.
struct log *log_open(const char *path);

// The next whole snapshot, already taken into its run; NULL: there is none for now. It is valid
// until the next call. A snapshot is whole when the empty line behind it has been read.
const struct snapshot *log_next(struct log *log);

// The same, while whoever waits at a terminal is told how far it is (term_progress()).
const struct snapshot *log_next_told(struct log *log);

// All runs so far, in the order of their first headers. Valid while the log is open.
struct run **log_runs(const struct log *log, size_t *count);

// The run whose snapshot was read last; NULL: none yet.
struct run *log_last_run(const struct log *log);

// For messages: the path it was opened by; bytes read so far and to be read (0: not known).
const char *log_path(const struct log *log);
uint64_t log_bytes(const struct log *log, uint64_t *of);

// At the end: says so when there was no snapshot at all. True when there was one, and the log
// was not damaged; a snapshot that was cut off is no damage.
bool log_finish(struct log *log);

void log_close(struct log *log);

// Makes times of the moments that count from where the logs end: when the last snapshot of any of
// them was written. Reads all logs where there is such a moment. Ends the process where a log cannot
// be read twice, or no snapshot says when it was written.
void log_resolve_relative(char **paths, struct moment *one, struct moment *other);

// The same for a label, or a reset: when the last such snapshot of any log was written.
void log_resolve_named(char **paths, struct moment *moment);

#endif
