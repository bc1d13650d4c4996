// SPDX-License-Identifier: BSD-2-Clause
// diagnostics: the notes that a log has without being asked. They say why nothing is recorded, why
// the log ends, and that new stacks keep fewer frames. They also say why there are no lines of the
// program's own language.
//
// Who may call: the one thread that writes a snapshot. Any thread that holds the guard may call
// diagnostics_before() and diagnostics_refusal(), which take the snapshot lock themselves. Never
// allocates. A note is lost if there is no file to write to. Some notes become the process's own:
// these are also written to each later file.

#ifndef PMEM_DIAGNOSTICS_H
#define PMEM_DIAGNOSTICS_H

struct process;

// Notes that another malloc() stands before ours, and that only what it hands on is recorded. This
// note becomes the process's own, and so do the notes of the next two functions.
void diagnostics_before(struct process *process);

// Notes that nothing is recorded from here on, for the reason in real.refusal.
void diagnostics_refusal(struct process *process);

// Notes how much memory a process has at its end if nothing of it was recorded.
void diagnostics_end(struct process *process);

// Notes that the log ends because the program enters a sandbox. The last snapshot may stand before
// this note.
void diagnostics_sandbox(const struct process *process);

// Writes what a reader must know before a snapshot: once, and whenever the log begins anew. The
// notes say that new stacks keep fewer frames, and which objects' calls of malloc() and free()
// bypass us. Another says what became known of an interpreter. This last note becomes the process's
// own if the process has no other.
void diagnostics_due(struct process *process);

// Forgets, in a fork's child, what has been written to the parent's log.
void diagnostics_fork(void);

#endif
