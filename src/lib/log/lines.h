// SPDX-License-Identifier: BSD-2-Clause
// lines: writes a snapshot as the lines of a log, as format.h describes them.
//
// Who may call: the one thread that writes a snapshot. Never allocates. It changes nothing but its
// own record of what the file already has.

#ifndef PMEM_LINES_H
#define PMEM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "log/entries.h"

// The process, as the log's header shows it.
struct process {
	pid_t pid;
	pid_t ppid;
	int64_t start;         // ns since 1970
	uint64_t run;          // a number that no other process has
	pid_t forked_from;     // 0 if it was not forked
	uint64_t forked_snapshots; // snapshots that its parent had written by the fork
	const char *note;      // what a reader of all its snapshots must know, or NULL
	const char *table_note; // how full the table of sources is, or NULL
	const char *bypass_note; // whose calls bypass us, or NULL
};

// Returns an upper bound of a snapshot's bytes in the file, without its entries.
size_t lines_other_bytes(void);

// Writes a note alone, after the file's header if that is due. If this call writes the header, and
// the note is one of the process's, the header has the note, and it is not written again.
void lines_write_note(const struct process *process, const char *note);

// Writes a snapshot, after the file's header if that is due. Returns the number of bytes, or 0 if
// the snapshot could not be written.
size_t lines_write(const struct snapshot_plan *snapshot, const struct process *process);

#endif
