// SPDX-License-Identifier: BSD-2-Clause
// file: files that others may have made, opened without harm to whoever reads them, root included.
//
// A path is first named only (O_PATH): no device acts by that, and no FIFO waits. What it names is
// looked at, and that very file is opened, whatever takes its name meanwhile. A device, a socket,
// a kernel's file (as of /proc) and a link that another user has put where all can write are not
// opened. What is wrong with a file is an errno; file_why() has the words.

#ifndef PMEM_CLI_FILE_H
#define PMEM_CLI_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

enum path_from {
	PATH_NAMED, // by whoever runs us: a pipe of his own is read as well
	PATH_FOUND, // in a folder, beside a log or in one: a regular file alone
};

// A descriptor to read from, and its status; -1 with errno.
int file_open(const char *path, enum path_from from, struct stat *status);

// The same of a file below `root`, whose absolute links begin there again; "": file_open().
int file_open_below(const char *root, const char *path, struct stat *status);

// Whether the path is not another user's link where all can write; false with errno.
bool file_may_be_followed(const char *path);

// Why it was not opened, by errno.
const char *file_why(int error);

// Whether anybody may put files into the folder that the path is in, or write to the file.
bool file_is_in_open_folder(const char *path);
bool file_is_writable_by_all(const struct stat *status);

// Moves a descriptor on to the next byte that is on the disk, past a hole; to the end where none is.
void file_pass_hole(int fd);

// Whether at least half of these bytes are on the disk: a file with holes may be of any size.
bool file_is_on_disk(int fd, off_t from, off_t bytes);

// "nobody (65534)"; good until the next call.
const char *file_user(uid_t user);

#endif
