// SPDX-License-Identifier: BSD-2-Clause
// file: opens files that other users may have made, without harm to our user, who may be root.
//
// A path is first opened with O_PATH, so that no device does anything and no FIFO blocks. Then the
// file is checked and opened for reading. The opened file is the checked one, even if the path
// leads to another file by then. Devices, sockets and files of kernel file systems such as /proc
// are refused. Links of other users in a folder where everyone may write are refused, too. Errors
// are an errno; file_why() returns a text for it.

#ifndef PMEM_CLI_FILE_H
#define PMEM_CLI_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

enum path_from {
	PATH_NAMED, // the user has named the path; pipes are allowed, too
	PATH_FOUND, // the path was found in a folder, or beside a log; only regular files are allowed
};

// Opens the file for reading and sets *status. Returns a descriptor, or -1 with errno.
int file_open(const char *path, enum path_from from, struct stat *status);

// Opens a file like file_open() with PATH_FOUND, but for a path below `root`. Absolute symbolic
// links are followed from `root`, too. If `root` is "", the path is looked up as usual.
int file_open_below(const char *root, const char *path, struct stat *status);

// Returns false with errno if the path is a link of another user in a folder where everyone may
// write.
bool file_may_be_followed(const char *path);

// Returns a text for an errno of this module: why a file was not opened.
const char *file_why(int error);

// file_is_in_open_folder() returns true if everyone may create files in the path's folder.
// file_is_writable_by_all() returns true if everyone may write to the file.
bool file_is_in_open_folder(const char *path);
bool file_is_writable_by_all(const struct stat *status);

// If the descriptor's offset is in a hole of a sparse file, moves it to the hole's end.
void file_pass_hole(int fd);

// Looks at `bytes` bytes of the file, from offset `from` on. Returns true if at least half of them
// are on the disk, and not in holes. A sparse file may claim any size.
bool file_is_on_disk(int fd, off_t from, off_t bytes);

// Returns the user's name and number, such as "nobody (65534)". The text is valid until the next
// call.
const char *file_user(uid_t user);

#endif
