// SPDX-License-Identifier: BSD-2-Clause
// lines: writes a snapshot as the lines of a log, as format.h describes them.
//
// Who may call: the one thread that writes a snapshot. Never allocates. Changes no state but the
// record of what the file already has (emitted.h).

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
	int64_t start;         // when the process began (ns since 1970)
	uint64_t run;          // a number that no other process has
	pid_t forked_from;     // pid of the process that forked this one; 0 if not forked
	uint64_t forked_snapshots; // how many snapshots that process had written at the fork
	const char *note;      // a note that follows each header of this process, or NULL
	const char *table_note; // like `note`: says how full the table of sources is
	const char *bypass_note; // like `note`: names the objects whose calls bypass us
};

// Returns an upper bound of a snapshot's bytes in the file, without its entries.
size_t lines_other_bytes(void);

// Writes a note without a snapshot. If the file's header is due, writes the header first. The
// header includes the process's own notes: if `note` is one of these, it is not written a second
// time.
void lines_write_note(const struct process *process, const char *note);

// Writes a snapshot. If the file's header is due, writes the header first. Returns the number of
// bytes, or 0 if the snapshot could not be written.
size_t lines_write(const struct snapshot_plan *snapshot, const struct process *process);

#endif
