// SPDX-License-Identifier: BSD-2-Clause
// follow: reads a log while it is written. It gives what the last run holds after each snapshot,
// and what happened since the snapshot before.
//
// If the file is rotated, truncated or replaced, it is opened again and read from its beginning. If
// the process goes on in another place (input.h), that log is read on.

#ifndef PMEM_CLI_FOLLOW_H
#define PMEM_CLI_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/log.h"

struct follow;

// Returns NULL after a warning.
struct follow *follow_open(const char *path);

// Reads the next snapshot. Returns false if there is none for now.
bool follow_next(struct follow *follow);

// Returns the snapshot that was read last, valid until the next follow_next(). Its run is NULL if
// there was none yet.
const struct snapshot *follow_last(const struct follow *follow);

// Returns true if the log was opened again and some of its former contents are gone.
bool follow_lost(const struct follow *follow);

// As log_bytes().
uint64_t follow_bytes(const struct follow *follow, uint64_t *of);

// Called at the end. Returns true if there was a snapshot and no damage. Prints a message if not.
bool follow_finish(struct follow *follow);

void follow_close(struct follow *follow);

#endif
