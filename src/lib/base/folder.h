// SPDX-License-Identifier: BSD-2-Clause
// folder: a directory that is known by device and inode, and opened for a moment at a time.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits for
// nobody, keeps errno, is no cancellation point.
//
// It is not held open in between: a program may close all descriptors, and a directory that is
// open is a way out of a chroot(). So its path is walked, each part from the one before, and no
// symbolic link is followed; what is at its end has to be the folder that was meant. Whoever can
// move folders about on the way gets nothing written, or made, elsewhere. As in file.h, each
// descriptor is looked at before its use.

#ifndef PMEM_FOLDER_H
#define PMEM_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct folder {
	const char *path;    // absolute; "": there is none
	bool is_known;       // which directory it is
	struct stat is;      // only that: device and inode
	int fd;              // -1: not open; while the path is walked, of a part of it
	int low;             // of the part before that; -1: none
	char part[NAME_MAX + 1];
};

// Learns which directory a path leads to. False: to none.
bool folder_look(const char *path, struct stat *is);

// The same of a folder's.
bool folder_know(struct folder *folder);

// Opens it: 0, or what is wrong, as -errno; -ESTALE: it is another one than it was.
long folder_open(struct folder *folder);

// To be used at once. Opened anew where another thread closed it; -1: that is not to be had.
int folder_fd(struct folder *folder);

void folder_close(struct folder *folder);

struct folder_count {
	unsigned files;
	uint64_t bytes; // of all, each at its size and up to two steps more: at least one
};

// Of its files, of those open now, those that have names that begin and go on so. At least: of a
// huge folder the beginning is looked through. None: that cannot be had.
struct folder_count folder_count(
	struct folder *folder, const char *begin, const char *part, uint64_t step);

// In a fork's child, or after a thread that ended in the middle.
void folder_drop(struct folder *folder);

// The same without closing anything.
void folder_leave(struct folder *folder);

// The same as folder_know() for a path that somebody wrote down: it may lead through symbolic
// links, and the right one is then put into `room`. Once, at the start.
bool folder_know_by_any_path(struct folder *folder, char room[PATH_MAX]);

#endif
