// SPDX-License-Identifier: BSD-2-Clause
// diagnostics: what a log says in words, of its own accord: why nothing is recorded, why it ends,
// by how much less its stacks are told apart, and why it has no lines of the program's own
// language.
//
// Who may call: the one thread that writes a snapshot; diagnostics_before() and
// diagnostics_refusal(), which take the snapshot lock themselves, any thread that holds the guard.
// Never allocates. Where there is no file to write to, a note is lost, but for what stays the
// process's own note: that stands in each file that is begun from then on.

#ifndef PMEM_DIAGNOSTICS_H
#define PMEM_DIAGNOSTICS_H

struct process;

// Another malloc() stands before ours, and only what it hands on is recorded. Stays the process's
// note, as the next two do.
void diagnostics_before(struct process *process);

// Nothing is recorded from here on, as real.refusal has it.
void diagnostics_refusal(struct process *process);

// The end of a process of which nothing was recorded: how much memory it has.
void diagnostics_end(struct process *process);

// The log ends, behind what may be its last snapshot.
void diagnostics_sandbox(const struct process *process);

// Before a snapshot: what its reader must know, once, and whenever the log begins anew. That its
// new stacks are told apart by fewer frames; what became known of an interpreter, unless the
// process has another note of its own; and which objects' calls of malloc() and free() go past us.
void diagnostics_due(struct process *process);

// In a fork's child, whose log has been told nothing.
void diagnostics_fork(void);

#endif
