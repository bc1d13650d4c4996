// SPDX-License-Identifier: BSD-2-Clause
// file: opens a file for a moment, and verifies that it is the intended file. A log is opened by
// its name in a folder, and written. A file of /proc or of our own user is opened by its path, and
// read.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits for
// nobody but a file system, keeps errno, is no cancellation point.
//
// Other threads may close every descriptor of the process at any moment. Files that those threads
// open next may get the numbers of our descriptors. So a descriptor is verified before each use.
// The descriptor's flags, device and inode must be those of our file. The check and the use are two
// adjacent system calls, since the kernel has no call that does both.

#ifndef PMEM_FILE_H
#define PMEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/refusal.h"

struct folder;

struct file {
	int fd;          // descriptor; -1 if not open
	int low;         // the descriptor before it was moved to a higher number; -1 if none
	struct stat now; // status at the last check
};

enum file_result {
	FILE_OPEN,    // open and locked
	FILE_BUSY,    // another process or thread is in the way: the next try may succeed
	FILE_FAILED,  // a resource is missing, perhaps only for a while
	FILE_HELD,    // for now the folder gets no new log: its logs are too many or too large
	FILE_REFUSED, // the file must not or cannot be written: `refusal` has the reason
};

// Learns the process's effective user. Called once, before the other functions.
void file_start(void);

// Asks anew for the effective user, to whom files must belong. Returns the last known user if the
// kernel cannot be asked.
unsigned file_user(void);

// Keeps the descriptors of logs below `room`, the size of the kernel's table of the process's descriptors.
// Where the process has several threads, the kernel enlarges that table slowly. It waits for all
// processors, for 15 ms or more. With a `room` of 0 descriptors may have any number.
void file_keep_within(uint64_t room);

// Opens a file of an open folder for appending, and creates it if need be. Locks it against other
// processes that write the same log. The file must be a regular one with one link, and must belong
// to us. `known` is the file that we opened before. Any other file must fulfil two more conditions.
// First, its mode must let nobody else read or write it. (The user may have changed the mode of
// `known` since.) Second, the file must be empty, or begin as a log of the process `pid`. So
// somebody who may rename files in the folder cannot make root's process write to another file of
// root's.
enum file_result file_open(struct file *file, struct folder *folder, const char *name,
	const struct stat *known, unsigned long pid, struct refusal *refusal);

// Returns the result for a failed call on a file or its folder, and sets `refusal`. `error` is the
// -errno of that call.
enum file_result file_refuse(struct refusal *refusal, long error);

// Returns true if the descriptor still refers to the file, and updates `now`.
bool file_is_ours(struct file *file);

// Unlocks and closes the file if the descriptor still refers to it.
void file_close(struct file *file);

// Returns true if the folder has no file of this name, or if that cannot be found out.
bool file_is_new(struct folder *folder, const char *name);

// Closes the descriptors of a log that another thread left open. Either that thread ended while it
// was writing, or this is a fork's child, which does not have that thread. A descriptor is closed
// only if it refers to the file of this name. If need be, the folder is opened to find that out.
void file_drop(struct file *file, struct folder *folder, const char *name);

// Reads the beginning of a file of /proc, and closes the file. If a thread ended during an earlier
// call, also closes the file that the thread left open. Returns the number of bytes. A negative
// result means that no bytes were read, or that the bytes may be another file's.
long file_peek(const char *path, char *bytes, size_t size);

// Does the same as file_peek(), from offset `at` on.
long file_peek_at(const char *path, uint64_t at, char *bytes, size_t size);

// Does the same as file_peek_at(), for any regular file of our own user. The path's last part must
// be no symbolic link. Sets *status to the file's status if the result is not negative.
long file_peek_own(const char *path, uint64_t at, char *bytes, size_t size, struct stat *status);

// Called in a fork's child. Forgets the file that the parent was reading, and with `closes` closes
// it. `closes` is false if parent and child may share their descriptors.
void file_fork_peek(bool closes);

#endif
