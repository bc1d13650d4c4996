// SPDX-License-Identifier: BSD-2-Clause
// target: the file that -o names. It is written beside its place, under a name that nobody can know
// before, and renamed when it is whole. A new one can be read by those alone who can read the logs.

#ifndef PMEM_CLI_TARGET_H
#define PMEM_CLI_TARGET_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

struct target {
	FILE *to;        // to write to
	const char *path;
	char *beside;    // NULL: what is no file, as a pipe, is written to where it stands
};

// Where the path is NULL it is standard output. A link is followed, unless another user has put it
// where all can write. False with errno.
bool target_open(struct target *target, const char *path, mode_t mode);

// False with errno: not all of it arrived; what was there before still is. Standard output is
// main()'s to check.
bool target_close(struct target *target);

// As if it had not been opened.
void target_drop(struct target *target);

// Whether there is something by that name that is no file.
bool target_is_special(const char *path);

#endif
