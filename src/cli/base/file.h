// SPDX-License-Identifier: BSD-2-Clause
// file: opens files that others may have made, without harm to the reader, even to root.
//
// A path is first opened with O_PATH: then no device acts and no FIFO waits. The file is checked,
// and the same file is opened for reading, even if its name now means another one. Devices, sockets
// and kernel files (as of /proc) are refused. So are links of another user in a folder where all
// can write. Errors are an errno; file_why() has the words.

#ifndef PMEM_CLI_FILE_H
#define PMEM_CLI_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

enum path_from {
	PATH_NAMED, // named by the user: his own pipe is allowed, too
	PATH_FOUND, // found in a folder, beside a log or in one: only a regular file is allowed
};

// Returns a descriptor to read from, and sets its status. Returns -1 with errno on failure.
int file_open(const char *path, enum path_from from, struct stat *status);

// Does the same for a file below `root`, where absolute links begin again. "" is file_open().
int file_open_below(const char *root, const char *path, struct stat *status);

// Returns false with errno if the path is another user's link in a folder where all can write.
bool file_may_be_followed(const char *path);

// Returns why a file was not opened, by its errno.
const char *file_why(int error);

// file_is_in_open_folder() returns true if anybody may put files into the path's folder.
// file_is_writable_by_all() returns true if anybody may write to the file.
bool file_is_in_open_folder(const char *path);
bool file_is_writable_by_all(const struct stat *status);

// Moves a descriptor past a hole: to the next byte on the disk, or to the end.
void file_pass_hole(int fd);

// Returns true if at least half of these bytes are on the disk. A file with holes may have any
// size.
bool file_is_on_disk(int fd, off_t from, off_t bytes);

// Returns "nobody (65534)", for example; valid until the next call.
const char *file_user(uid_t user);

#endif
