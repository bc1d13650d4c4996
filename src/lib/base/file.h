// SPDX-License-Identifier: BSD-2-Clause
// file: one file that is opened for a moment, and provably the one meant: the log, by its name in
// a folder, to write to it; and those of /proc and of our own user, by their paths, to read them.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits
// for nobody but a file system, keeps errno, is no cancellation point.
//
// Other threads may close every descriptor of the process at any moment, and open files of
// their own, which then have our numbers. So a descriptor is looked at before each use: the
// flags it was opened with, device and inode must be the file's. The look and the use
// are two adjacent system calls; the kernel offers nothing that would close the gap between.

#ifndef PMEM_FILE_H
#define PMEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/refusal.h"

struct folder;

struct file {
	int fd;          // -1: not open
	int low;         // where the kernel put it at first; -1: no longer open
	struct stat now; // as it was at the last look
};

enum file_result {
	FILE_OPEN,    // and locked
	FILE_BUSY,    // held by another process, or lost on the way: the next try may do
	FILE_FAILED,  // for want of something, for a while perhaps
	FILE_HELD,    // there are enough of them, for now
	FILE_REFUSED, // what stands there is not to be written, or cannot be: `refusal` says why
};

// Once, before the others: who we are.
void file_start(void);

// The effective user that files are to belong to, asked for anew; the one of the start where that
// cannot be.
unsigned file_user(void);

// Opens a file of an open folder for appending, makes it at need, and locks it against other
// processes that write the same log. Only a regular file with one link that belongs to us is
// opened, and that nobody else can read or write; `known` is one that was opened before, of which
// the last is ours to decide no more. Any other that is not empty must begin as a log of the process
// `pid`: whoever may rename files in the folder has root's process write to none of root's.
enum file_result file_open(struct file *file, struct folder *folder, const char *name,
	const struct stat *known, unsigned long pid, struct refusal *refusal);

// What -errno, of the file or of its folder, says of the place.
enum file_result file_refuse(struct refusal *refusal, long error);

// Whether the descriptor still is the file; looks at it anew.
bool file_is_ours(struct file *file);

// Unlocks and closes it, if it still is ours.
void file_close(struct file *file);

// Whether the folder has no file of this name, or it cannot be told.
bool file_is_new(struct folder *folder, const char *name);

// Closes what another thread left open: one that does not exist in this fork's child, or
// ended in the middle. The folder is opened for that if it has to be.
void file_drop(struct file *file, struct folder *folder, const char *name);

// Reads the beginning of a file of /proc, and closes it, and what a thread that ended in the
// middle left open so. How many bytes; negative: none, or perhaps another's.
long file_peek(const char *path, char *bytes, size_t size);

// The same from so many bytes on.
long file_peek_at(const char *path, uint64_t at, char *bytes, size_t size);

// The same of any regular file of our own user, under its own name and not through a link. *status is
// the file's, if the result is not negative.
long file_peek_own(const char *path, uint64_t at, char *bytes, size_t size, struct stat *status);

// In a fork's child: what its parent had open so is closed, unless the two may share their
// descriptors.
void file_fork_peek(bool closes);

#endif
