// SPDX-License-Identifier: BSD-2-Clause
// lines: a snapshot as the lines of a log: format.h in practice.
//
// Who may call: the one thread that writes a snapshot. Never allocates. It changes nothing but
// its own notes of what the file has been told.

#ifndef PMEM_LINES_H
#define PMEM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "log/entries.h"

// The process, as its header shows it.
struct process {
	pid_t pid;
	pid_t ppid;
	int64_t start;         // ns since 1970
	uint64_t run;          // differs from that of any other
	pid_t forked_from;     // 0: it was not forked
	uint64_t forked_snapshots; // how many its parent had written by then
	const char *note;      // what a reader of all its snapshots must know, or NULL
	const char *table_note; // how full the table of sources is, likewise
	const char *bypass_note; // whose calls go past us, likewise
};

// An upper bound of what a snapshot takes in the file beside its entries.
size_t lines_other_bytes(void);

// Writes a note alone, behind the file's header where that is due: it may be one of the process's,
// which that has.
void lines_write_note(const struct process *process, const char *note);

// Writes a snapshot, and the file's header where that is due: how many bytes; 0: nothing is in
// the file.
size_t lines_write(const struct snapshot_plan *snapshot, const struct process *process);

#endif
