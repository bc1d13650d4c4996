// SPDX-License-Identifier: BSD-2-Clause
// target: the file that -o names. It is written beside its place, under a name that nobody can
// predict, and renamed once it is whole. A new file can be read only by those who can read the
// logs.

#ifndef PMEM_CLI_TARGET_H
#define PMEM_CLI_TARGET_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

struct target {
	FILE *to;        // to write to
	const char *path;
	// the temporary path; NULL for a pipe or another special file, which is written directly
	char *beside;
};

// Opens the path, or standard output for NULL. Follows a link, unless it is another user's in a
// folder where all can write. Returns false with errno.
bool target_open(struct target *target, const char *path, mode_t mode);

// Returns false with errno if not all of it was written: then the former file stays. main() checks
// standard output.
bool target_close(struct target *target);

// Undoes target_open().
void target_drop(struct target *target);

// Returns true if the path exists and is no regular file.
bool target_is_special(const char *path);

#endif
