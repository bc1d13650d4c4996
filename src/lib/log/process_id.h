// SPDX-License-Identifier: BSD-2-Clause
// process_id: the fields of the log's header that distinguish this process from another with the
// same pid, and say where it runs.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Any thread may call
// process_id_begin() at any moment. Never allocates.

#ifndef PMEM_PROCESS_ID_H
#define PMEM_PROCESS_ID_H

#include <stdbool.h>

struct text;

// Called once, at the start.
void process_id_start(void);

// Called at each new source. The first call reads the pid namespace from /proc, which may be
// unreachable later. The namespace is not read at the start. So a program that allocates nothing
// does not spend time on it.
void process_id_begin(void);

// Called in a fork's child. The pid namespace, the working directory and the cgroup are then read
// anew. The child may be in another namespace than its parent.
void process_id_fork(void);

// Reads the pid namespace, the working directory and the cgroup, if not read in this process yet.
void process_id_know(void);

// Writes the header's fields host= and pidns=.
void process_id_write(struct text *text);

// Writes the lines after the header with the process's working directory and cgroup, as they were
// at its first snapshot. A value that is not known has no line.
void process_id_write_places(struct text *text);

#endif
