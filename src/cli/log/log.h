// SPDX-License-Identifier: BSD-2-Clause
// log: reads a log snapshot by snapshot. After each snapshot, struct run has the counts of every
// source, as far as they are known.
//
// A log is a file with its rotated pieces, or standard input ("-"). The pieces are read in the
// order .log.2, .log.1, .log. The logged process may still be writing. At the log's end log_next()
// returns NULL. A later call goes on with what has been written since. Memory grows with the number
// of different sources and frames, not with the log's size.
//
// If a line cannot be read, it is skipped after a warning, `FILE:LINE: what: expected what`. At
// most ten of these warnings are printed for a log. A snapshot that was cut off is left out and
// counted. log_resolve_relative() and log_resolve_named() end the process after an error. The other
// functions end the process only if memory is short.

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

// Opens a log by its path; "-" is standard input. Finds the rotated pieces beside it. Returns NULL
// after a warning if the file does not exist or cannot be read.
struct log *log_open(const char *path);

// Returns the next complete snapshot. The snapshot's run (run.h) then has the counts of this
// snapshot. The snapshot is valid until the next call. Returns NULL if no further snapshot is
// complete yet. An empty line after a snapshot makes it complete.
const struct snapshot *log_next(struct log *log);

// Does the same as log_next(). Also shows on a terminal how much has been read (term_progress()).
const struct snapshot *log_next_told(struct log *log);

// Returns all runs so far, in the order of their first headers. The runs are valid while the log is
// open.
struct run **log_runs(const struct log *log, size_t *count);

// Returns the run whose snapshot was read last, or NULL if no snapshot was read.
struct run *log_last_run(const struct log *log);

// log_path() and log_bytes() are for messages. log_path() returns the path as given to log_open(),
// or "standard input". log_bytes() returns how many bytes have been read so far. It sets *of to the
// log's size, or to 0 if that is not known.
const char *log_path(const struct log *log);
uint64_t log_bytes(const struct log *log, uint64_t *of);

// Called at the end. Returns true if the log had a snapshot and was not damaged. Prints a warning
// if the log had no snapshot at all. A snapshot that was cut off is no damage.
bool log_finish(struct log *log);

void log_close(struct log *log);

// Changes moments that count back from the logs' end into times. The end is the time of the latest
// snapshot in all logs. Reads all logs if one of the moments counts back. Ends the process if a log
// is a pipe, which can be read only once, or if no snapshot has a time.
void log_resolve_relative(char **paths, struct moment *one, struct moment *other);

// Changes a moment that is a label or a reset into a time. It is the time of the latest snapshot in
// all logs that has this label, or is a reset. Leaves other moments as they are. Ends the process
// if no snapshot is found, or if a log can be read only once.
void log_resolve_named(char **paths, struct moment *moment);

#endif
