// SPDX-License-Identifier: BSD-2-Clause
// identity: what tells this process from another of the same pid, and where it has its place, for
// the log's header.
//
// Who may call: the one thread that writes a snapshot; a fork's child; identity_begin() any thread,
// at any moment. Never allocates.

#ifndef PMEM_IDENTITY_H
#define PMEM_IDENTITY_H

#include <stdbool.h>

struct text;

// Called once, at the start.
void identity_start(void);

// Called where a source is new: at the first one of the process /proc is asked, which may be out of
// reach later. It takes the kernel too long for a program that allocates nothing.
void identity_begin(void);

// In a fork's child, which may be in another namespace than its parent: to be asked for anew. What
// its parent had open is closed, unless the two may share their descriptors.
void identity_fork(void);

// What is not known so far.
void identity_know(void);

// The header's fields.
void identity_write(struct text *text);

// Behind the header: the working directory and the cgroup that the process was in at its first
// snapshot, as far as these are known.
void identity_write_places(struct text *text);

#endif
