// SPDX-License-Identifier: BSD-2-Clause
// follow: a log while it is being written: what its last run holds after each snapshot, and
// what happened between that snapshot and the one before it.
//
// Where the file is rotated, truncated or put in another's place, it is opened again, and
// read from the beginning of what is there. Where the process goes on in another place (input.h),
// that is read on.

#ifndef PMEM_CLI_FOLLOW_H
#define PMEM_CLI_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/log.h"

struct follow;

// NULL after a warning.
struct follow *follow_open(const char *path);

// Takes the next snapshot in. False: there is none for now.
bool follow_next(struct follow *follow);

// The snapshot that was read last; its run is NULL as long as there was none. Valid until the
// next follow_next().
const struct snapshot *follow_last(const struct follow *follow);

// Whether the log was opened again, and some of what it held is not there any more.
bool follow_lost(const struct follow *follow);

// As log_bytes().
uint64_t follow_bytes(const struct follow *follow, uint64_t *of);

// At the end of what is there: whether there was a snapshot and no damage. Says so if not.
bool follow_finish(struct follow *follow);

void follow_close(struct follow *follow);

#endif
