// SPDX-License-Identifier: BSD-2-Clause
// follow: reads a log while it is being written. A struct follow keeps the counts of the last
// snapshot, and what changed since the snapshot before.
//
// If the file is rotated, truncated or replaced, it is opened again and read from its beginning. If
// the process continues its log in another place (input.h), that file is read, too.

#ifndef PMEM_CLI_FOLLOW_H
#define PMEM_CLI_FOLLOW_H

#include <stdbool.h>

#include "log/log.h"

struct follow;

// Opens a log. Returns NULL after a warning.
struct follow *follow_open(const char *path);

// Reads the next snapshot. Returns false if there is no further one yet.
bool follow_next(struct follow *follow);

// Returns the snapshot that was read last; it is valid until the next follow_next(). If no snapshot
// was read yet, its run is NULL.
const struct snapshot *follow_last(const struct follow *follow);

// Returns true if the log was opened again, and no longer has everything that was read before.
bool follow_lost(const struct follow *follow);

// Returns the log, for log_bytes() and log_finish(). It is valid until the next follow_next().
struct log *follow_log(const struct follow *follow);

void follow_close(struct follow *follow);

#endif
