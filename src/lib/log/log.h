// SPDX-License-Identifier: BSD-2-Clause
// log: the file pmem.<pid>.log, or pmem.<pid>.<uid>.log. The file is opened for each snapshot and
// then closed.
//
// Who may call: the one thread that writes a snapshot, and snapshot.c at the start and in a fork's
// child. Never allocates. Makes direct system calls only: errno is kept, and nothing is a
// cancellation point. Writes only to a regular file with one link that we own. Callers block
// signals.
//
// Paths are tried in this order: pmem.<pid>.log in the directory that was current at log_start(),
// then in PMEM_LOG_FALLBACK_DIR, then pmem.<pid>.<uid>.log in both. If a path leads to a file that
// is not ours, the file stays as it is. The log is rotated before it would grow beyond
// PMEM_LOG_MAX_BYTES. If a snapshot cannot be written whole, the file is cut back to where the
// snapshot began. While writing keeps failing, more and more snapshots are skipped. Processes that
// share a log (equal pids in two namespaces) take turns by a lock on it.

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

// Remembers the path of the current directory. The path is opened anew for each snapshot. So a
// later chroot() or change of user applies to the log, too.
void log_start(void);

// Gives a fork's child its own file, in its parent's directory. If `closes`, closes the child's
// copy of a file that the parent had open. `closes` must be false if parent and child may share
// descriptors.
void log_fork(bool closes);

// Returns how many bytes the log, and therefore one snapshot, may have at most.
size_t log_room(void);

// Opens the file for a snapshot. The snapshot takes at most `bytes`, or `bytes_anew` if the file is
// not as this process left it. Rotates the file first if the snapshot would not fit. Returns false
// if no file can be written. `last` is true for the process's last snapshot, which is tried even
// soon after a failure. While another process is writing, the last snapshot waits, for a second at
// most.
bool log_open(size_t bytes, size_t bytes_anew, bool last);

// Returns true if log_open() would create no file yet, because of the folder's other logs
// (log_quota.h). Makes no system call.
bool log_is_held(void);

// After log_open(): returns true if the file is not as this process left it. Then the header must
// be written before the snapshot.
bool log_is_fresh(void);

// After log_open(): returns true if the file is not empty. Its last line may lack its end, if
// another process wrote it.
bool log_has_bytes(void);

// Writes notes after the header. If paths before the log's own path were refused, one note for each
// says why. Further notes come from log_quota.h.
void log_write_note(struct text *text);

// Writes a piece of the snapshot. Returns false if that failed. Serves as text.h's flush.
bool log_append(const char *bytes, size_t length);

// Ends the snapshot and closes the file. Returns the snapshot's bytes if the file has the whole
// snapshot. After a failure, or if `whole` is false, returns 0, and the file has no part of the
// snapshot.
size_t log_close(bool whole);

#endif
