// SPDX-License-Identifier: BSD-2-Clause
// process_id: what tells this process from another of the same pid, and where it has its place, for
// the log's header.
//
// Who may call: the one thread that writes a snapshot; a fork's child; process_id_begin() any
// thread, at any moment. Never allocates.

#ifndef PMEM_PROCESS_ID_H
#define PMEM_PROCESS_ID_H

#include <stdbool.h>

struct text;

// Called once, at the start.
void process_id_start(void);

// Called where a source is new: at the first one of the process /proc is asked, which may be out of
// reach later. It takes the kernel too long for a program that allocates nothing.
void process_id_begin(void);

// In a fork's child, which may be in another namespace than its parent: to be asked for anew. What
// its parent had open is closed, unless the two may share their descriptors.
void process_id_fork(void);

// What is not known so far.
void process_id_know(void);

// The header's fields.
void process_id_write(struct text *text);

// Behind the header: the working directory and the cgroup that the process was in at its first
// snapshot, as far as these are known.
void process_id_write_places(struct text *text);

#endif
