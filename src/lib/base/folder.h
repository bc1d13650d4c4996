// SPDX-License-Identifier: BSD-2-Clause
// folder: opens a directory for a moment at a time, and recognizes it by device and inode.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits for
// nobody, keeps errno, is no cancellation point.
//
// The directory is not held open between uses. A program may close all descriptors, and an open
// directory is a way out of a chroot(). So each opening walks the path part by part, and follows no
// symbolic link. The directory at the path's end must be the directory that folder_know() found. So
// somebody who can rename directories on the path cannot make us write or create a file elsewhere.
// As in file.h, each descriptor is verified before its use.

#ifndef PMEM_FOLDER_H
#define PMEM_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct folder {
	const char *path;    // absolute; "" if there is none
	bool is_known;       // true once `is` is set
	struct stat is;      // only device and inode are used
	// Descriptor of the folder. While the path is walked: descriptor of the part reached so far. -1
	// if not open.
	int fd;
	// While the path is walked: descriptor of the part before the part that `fd` refers to. While
	// the folder is listed: the descriptor by which it is listed. -1 if not open.
	int low;
	char part[NAME_MAX + 1];
};

// Sets `is` to the status of the directory that a path leads to. Returns false if the path leads to
// no directory.
bool folder_look(const char *path, struct stat *is);

// Sets the folder's `is` and `is_known` from its path. Returns `is_known`.
bool folder_know(struct folder *folder);

// Opens the folder. Returns 0 or -errno. Returns -ESTALE if the path now leads to another
// directory.
long folder_open(struct folder *folder);

// Returns the descriptor, to be used at once. Opens the folder anew if another thread closed it.
// Returns -1 if the folder cannot be opened.
int folder_fd(struct folder *folder);

void folder_close(struct folder *folder);

struct folder_count {
	unsigned files;
	// Sum of the counted files' sizes. Each size is rounded down to a multiple of folder_count()'s
	// `step`, and two steps are added (the reason is in log_quota.h).
	uint64_t bytes;
};

// Counts the files of an open folder whose names begin with `begin` and have `part` after that.
// The count is a lower bound: only the beginning of a huge folder is read. Returns zeros if the
// folder cannot be listed.
struct folder_count folder_count(
	struct folder *folder, const char *begin, const char *part, uint64_t step);

// Closes the folder's descriptors. Called in a fork's child, or after a thread that ended while the
// folder was open.
void folder_drop(struct folder *folder);

// Forgets the folder's descriptors, without closing them.
void folder_leave(struct folder *folder);

// Does the same as folder_know(), for a configured path, which may have symbolic links. If it has
// some, writes the path without links to `room`, and makes `room` the folder's path. Called once,
// at the start.
bool folder_know_by_any_path(struct folder *folder, char room[PATH_MAX]);

#endif
