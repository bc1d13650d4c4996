// SPDX-License-Identifier: BSD-2-Clause
// file: one file that is opened for a moment, and is verified to be the one meant. It is a log,
// opened by its name in a folder and written. Or it is a file of /proc or of our own user, opened
// by its path and read.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits for
// nobody but a file system, keeps errno, is no cancellation point.
//
// Other threads may close every descriptor of the process at any moment. Files that they open then
// may get our descriptors' numbers. So a descriptor is verified before each use. Its flags, its
// device and its inode must be the file's. The check and the use are two adjacent system calls; the
// kernel offers nothing that would close the gap between.

#ifndef PMEM_FILE_H
#define PMEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/refusal.h"

struct folder;

struct file {
	int fd;          // -1 if not open
	int low;         // the number that the kernel gave first; -1 if no longer open
	struct stat now; // status at the last check
};

enum file_result {
	FILE_OPEN,    // and locked
	FILE_BUSY,    // held by another process, or lost on the way: the next try may succeed
	FILE_FAILED,  // a resource is missing, perhaps only for a while
	FILE_HELD,    // the limit of logs is reached, for now
	FILE_REFUSED, // the file must not or cannot be written: `refusal` has the reason
};

// Learns the process's effective user. Called once, before the other functions.
void file_start(void);

// Asks anew for the effective user, to whom files must belong. Returns the last known user if the
// kernel cannot be asked.
unsigned file_user(void);

// Opens a file of an open folder for appending, and creates it if need be. Locks it against other
// processes that write the same log. The file must be a regular one with one link, and must belong
// to us. Nobody else may read or write it. The last condition does not hold for `known`, which we
// opened before: its mode is the user's choice since. Any other file that is not empty must begin
// as a log of the process `pid`. So nobody who may rename files in the folder can make root's
// process write to another file of root's.
enum file_result file_open(struct file *file, struct folder *folder, const char *name,
	const struct stat *known, unsigned long pid, struct refusal *refusal);

// Returns the result for -errno of a file or of its folder, and sets `refusal`.
enum file_result file_refuse(struct refusal *refusal, long error);

// Returns true if the descriptor still is the file, and updates `now`.
bool file_is_ours(struct file *file);

// Unlocks and closes the file if the descriptor still is the file.
void file_close(struct file *file);

// Returns true if the folder has no file of this name, or if this is unknown.
bool file_is_new(struct folder *folder, const char *name);

// Closes what another thread left open. That thread does not exist in this fork's child, or it
// ended in the middle. Opens the folder for this if need be.
void file_drop(struct file *file, struct folder *folder, const char *name);

// Reads the beginning of a file of /proc, and closes the file. Also closes the file that a thread
// which ended in the middle left open. Returns the number of bytes. A negative result means that no
// bytes were read, or that they may be another file's.
long file_peek(const char *path, char *bytes, size_t size);

// As file_peek(), from offset `at` on.
long file_peek_at(const char *path, uint64_t at, char *bytes, size_t size);

// As file_peek_at(), for any regular file of our own user. The path's last part must be no
// symbolic link. *status is the file's if the result is not negative.
long file_peek_own(const char *path, uint64_t at, char *bytes, size_t size, struct stat *status);

// Called in a fork's child. Closes the file that its parent had open for reading, unless the two
// may share their descriptors.
void file_fork_peek(bool closes);

#endif
