// SPDX-License-Identifier: BSD-2-Clause
// log: the file pmem.<pid>.log, or pmem.<pid>.<uid>.log, opened for each snapshot and closed
// again.
//
// Who may call: the one thread that writes a snapshot, and snapshot.c at the start and in a
// fork's child. Never allocates; direct system calls only: errno is kept, and nothing is a
// cancellation point. Writes only to a regular file with one link that we own. Its callers
// make signals wait.
//
// The file lies in the directory that was current at log_start(), or, where that cannot be
// written, in PMEM_LOG_FALLBACK_DIR. What is in its way there is left as it is: a name that has
// the user is tried. It is rotated before it would grow beyond PMEM_LOG_MAX_BYTES. When a
// snapshot cannot be written whole, the file is cut back to where it began, and later ones are
// tried less and less often. Processes that share a log (equal pids in two namespaces) take
// turns by a lock on it.

#ifndef PMEM_LOG_H
#define PMEM_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"

struct text;

_Static_assert(PMEM_LOG_MAX_BYTES == 0 || PMEM_LOG_MAX_BYTES >= 65536,
	"PMEM_LOG_MAX_BYTES must be at least 65536, or 0 for no limit");
_Static_assert(PMEM_LOG_KEEP >= 0 && PMEM_LOG_KEEP <= 99,
	"PMEM_LOG_KEEP must be from 0 to 99 rotated logs");

// Remembers the directory: behind a chroot, or for another user, what is in its place then counts.
void log_start(void);

// In a fork's child: its own file, in its parent's directory. A file that its parent had open
// is closed, unless the two may share their descriptors.
void log_fork(bool closes);

// Bytes that one snapshot may have at most.
size_t log_room(void);

// Opens the file for a snapshot of at most `bytes`, or `bytes_anew` in a file that is not as
// this process left it, rotating it first at need. False when there is none to write to. For
// the last snapshot it tries in any case, and waits, for a second at most, for another
// process that is writing.
bool log_open(size_t bytes, size_t bytes_anew, bool last);

// Whether there is none to write to since enough lie in the folder already, and this process has
// not run for long. Makes no system call.
bool log_is_held(void);

// After log_open(): the file is not as this process left it, and what it writes begins with
// its header.
bool log_is_fresh(void);

// After log_open(): somebody has written to it, and may have left a line without its end.
bool log_has_bytes(void);

// Behind the header: why the log is not where it would be, if it is not.
void log_write_note(struct text *text);

// Writes a piece of the snapshot. False when that failed; text.h's flush.
bool log_append(const char *bytes, size_t length);

// Ends the snapshot: how many bytes are in the file when all of it is. After a failure, or when
// `whole` is false, none of it is.
size_t log_close(bool whole);

#endif
