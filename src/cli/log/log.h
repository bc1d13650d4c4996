// SPDX-License-Identifier: BSD-2-Clause
// log: gives a log snapshot by snapshot, and after each what is known of every source.
//
// A log is a file with its rotated pieces (read in the order .log.2, .log.1, .log), or standard
// input ("-"). Its process may still be writing it: log_next() returns NULL at the end. A later
// call goes on with what has been written since. Memory grows with the number of distinct sources
// and frames, not with the log's size.
//
// A line that cannot be read is skipped after a warning, `FILE:LINE: what: expected what`. There
// are at most ten warnings a log. A snapshot that was cut off is left out and counted. Only a lack
// of memory ends the process here.

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
// after a warning if there is no such file, or if it cannot be read.
struct log *log_open(const char *path);

// Returns the next whole snapshot, already applied to its run; it is valid until the next call.
// Returns NULL if there is none for now. A snapshot is whole once the empty line after it has been
// read.
const struct snapshot *log_next(struct log *log);

// Does the same, and shows the progress on a terminal (term_progress()).
const struct snapshot *log_next_told(struct log *log);

// Returns all runs so far, in the order of their first headers. They are valid while the log is
// open.
struct run **log_runs(const struct log *log, size_t *count);

// Returns the run whose snapshot was read last, or NULL if there was none.
struct run *log_last_run(const struct log *log);

// For messages: the path as given to log_open(), the bytes read so far, and the bytes to read (0 if
// not known).
const char *log_path(const struct log *log);
uint64_t log_bytes(const struct log *log, uint64_t *of);

// Called at the end. Prints a warning if there was no snapshot at all. Returns true if there was
// one and the log was not damaged. A snapshot that was cut off is no damage.
bool log_finish(struct log *log);

void log_close(struct log *log);

// Converts moments that count from the logs' end to times. That end is when the last snapshot of
// any log was written. Reads all logs if there is such a moment. Ends the process if a log cannot
// be read twice, or if no snapshot has a time.
void log_resolve_relative(char **paths, struct moment *one, struct moment *other);

// Does the same for a label or a reset: the time of the last such snapshot in any log.
void log_resolve_named(char **paths, struct moment *moment);

#endif
