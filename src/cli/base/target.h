// SPDX-License-Identifier: BSD-2-Clause
// target: writes the file that -o names. The file is first written beside its final place, under a
// name that nobody can predict. The complete file is renamed to its final name. A new file can be
// read only by users who may read the logs.

#ifndef PMEM_CLI_TARGET_H
#define PMEM_CLI_TARGET_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

struct target {
	FILE *to;          // to print to
	const char *named; // the path as it was given
	const char *path;  // where it leads to
	// The temporary path. NULL if a pipe or another special file is written directly.
	char *beside;
};

// Opens the path, or standard output if it is NULL. Follows a link, unless the link is another
// user's in a folder where everyone may write. `mode` is for a new file. Ends the
// process if the path cannot be opened.
void target_open(struct target *target, const char *path, mode_t mode);

// Completes the file. Ends the process if not all could be written. Then the path still has the file
// that it had before. Errors of standard output are found in main(), not here.
void target_close(struct target *target);

// Undoes target_open(): removes the temporary file.
void target_drop(struct target *target);

// Returns true if the path exists and is no regular file.
bool target_is_special(const char *path);

#endif
