// SPDX-License-Identifier: BSD-2-Clause
// diagnostics: notes about the recording itself. The notes say why nothing is recorded, why the log
// ends, and that new stacks keep fewer frames. Other notes say why stacks have no lines of the
// program's source code.
//
// Who may call: the one thread that writes a snapshot. Any thread that holds the guard may call
// diagnostics_before() and diagnostics_refusal(), which take the snapshot lock themselves. Never
// allocates. A note is lost if there is no file to write to. Some notes become the process's own:
// they are written again after each later header of the log.

#ifndef PMEM_DIAGNOSTICS_H
#define PMEM_DIAGNOSTICS_H

struct process;

// Writes the note that another library's malloc() gets the program's calls before ours does. Only
// calls that the other malloc() hands on are recorded. This note becomes the process's own. So do
// the notes of the next two functions.
void diagnostics_before(struct process *process);

// Writes the note that nothing is recorded from here on, for the reason in real.refusal.
void diagnostics_refusal(struct process *process);

// Writes the note about how much memory the process has at its end. Called only if nothing was
// recorded.
void diagnostics_end(struct process *process);

// Writes the note that the log ends because the program enters a sandbox. The process's last
// snapshot usually stands right before this note.
void diagnostics_sandbox(const struct process *process);

// Writes the notes that are due before a snapshot. Each note is written once, and again when its
// text changes. The first note says that new stacks keep fewer frames. The second names the objects
// whose calls of malloc() and free() bypass us. Both are repeated after each header. The third note
// has the advice about an interpreter (interpreter_boundary.h). If the process has no note of its
// own yet, the third note becomes its own.
void diagnostics_due(struct process *process);

// Called in a fork's child. Forgets which notes the parent's log has: the child's log has none of
// them.
void diagnostics_fork(void);

#endif
