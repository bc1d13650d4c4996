// identity: what tells this process from another of the same pid, for the log's header.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates.

#ifndef PMEM_IDENTITY_H
#define PMEM_IDENTITY_H

struct text;

// Called once, at the start.
void identity_start(void);

// In a fork's child, which may be in another namespace than its parent: to be asked for anew.
void identity_fork(void);
void identity_know(void);

void identity_write(struct text *text);

#endif
