// SPDX-License-Identifier: BSD-2-Clause
// diagnostics: notes about the recording itself. The notes say why nothing is recorded, why the log
// ends, and that new stacks keep fewer frames. Other notes say why stacks have no lines of the
// program's source code.
//
// Who may call: the one thread that writes a snapshot. Any thread that holds the guard may call
// diagnostics_before() and diagnostics_refusal(), which take the snapshot lock themselves. Never
// allocates. A note is lost if there is no file to write to. Some notes become the process's own:
// these are written again after each later header of the log.

#ifndef PMEM_DIAGNOSTICS_H
#define PMEM_DIAGNOSTICS_H

struct process;

// Writes the note that another malloc() gets the program's calls before ours does. Only calls that
// this malloc() hands on are recorded. This note becomes the process's own, and so do the notes of
// the next two functions.
void diagnostics_before(struct process *process);

// Writes the note that nothing is recorded from here on, for the reason in real.refusal.
void diagnostics_refusal(struct process *process);

// Writes the note about how much memory the process has at its end. Called only if nothing was
// recorded.
void diagnostics_end(struct process *process);

// Writes the note that the log ends because the program enters a sandbox. The process's last
// snapshot usually stands right before this note.
void diagnostics_sandbox(const struct process *process);

// Writes the notes that are due before a snapshot: each once, and again when its text changes. One
// says that new stacks keep fewer frames. Another names the objects whose calls of malloc() and
// free() bypass us. These two notes are repeated after each header. A third note has the advice
// about an interpreter (interpreter_boundary.h). The advice becomes the process's own note if the
// process has no other.
void diagnostics_due(struct process *process);

// Forgets, in a fork's child, what has been written to the parent's log.
void diagnostics_fork(void);

#endif
