// SPDX-License-Identifier: BSD-2-Clause
// log: the file pmem.<pid>.log, or pmem.<pid>.<uid>.log. It is opened for each snapshot and then
// closed.
//
// Who may call: the one thread that writes a snapshot, and snapshot.c at the start and in a fork's
// child. Never allocates. It makes direct system calls only: errno is kept, and nothing is a
// cancellation point. It writes only to a regular file with one link that we own. Its callers block
// signals.
//
// The file lies in the directory that was current at log_start(). If that cannot be written, the
// file lies in PMEM_LOG_FALLBACK_DIR. If another file is in its way there, that file stays and a
// name with the user is tried. The log is rotated before it would grow beyond PMEM_LOG_MAX_BYTES.
// If a snapshot cannot be written whole, the file is cut back to where the snapshot began. Later
// snapshots are then tried less and less often. Processes that share a log (equal pids in two
// namespaces) take turns by a lock on it.

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
// later chroot() or change of user applies.
void log_start(void);

// Gives a fork's child its own file, in its parent's directory. `closes` is false if the two
// processes may share descriptors. If not, a file that the parent had open is closed.
void log_fork(bool closes);

// Returns the most bytes that one snapshot may have.
size_t log_room(void);

// Opens the file for a snapshot. The snapshot takes at most `bytes`, or `bytes_anew` if the file is
// not as this process left it. Rotates the file first if needed. Returns false if no file can be
// written. The last snapshot is always tried. If another process is writing, the last snapshot
// waits for it, for a second at most.
bool log_open(size_t bytes, size_t bytes_anew, bool last);

// Returns true if there is no file because the folder has enough logs and this process is young.
// Makes no system call.
bool log_is_held(void);

// After log_open(): returns true if the file is not as this process left it. Then the header must
// be written first.
bool log_is_fresh(void);

// After log_open(): returns true if the file has bytes. Another process may have left a line
// without its end.
bool log_has_bytes(void);

// Writes, after the header, why the log is not at its usual place, if that is so.
void log_write_note(struct text *text);

// Writes a piece of the snapshot. Returns false if that failed. Serves as text.h's flush.
bool log_append(const char *bytes, size_t length);

// Ends the snapshot. Returns its number of bytes in the file if the file has all of it. After a
// failure, or if `whole` is false, the file has none of it.
size_t log_close(bool whole);

#endif
