// SPDX-License-Identifier: BSD-2-Clause
// process_title: the current command line of this process, and its name in the kernel (comm).
//
// Who may call: the constructor calls process_title_start(). Any thread may call
// process_title_renames(). The one thread that writes a snapshot, and a fork's child, may call the
// other functions. Never allocates, waits for nobody, keeps errno. A text that cannot be read is
// left out.
//
// The kernel takes a command line from the process's own memory: the outer end of its first stack.
// A program that changes its title writes to this memory. So we read the command line from this
// memory, too. This costs one or two system calls a snapshot, and works without /proc. The name
// (comm) must be read from /proc. It is read with each header of the log, and when it may have
// changed.

#ifndef PMEM_PROCESS_TITLE_H
#define PMEM_PROCESS_TITLE_H

#include <stdbool.h>

#include "config.h"

_Static_assert(PMEM_LOG_COMMAND == 0 || PMEM_LOG_COMMAND == 1, "PMEM_LOG_COMMAND must be 0 or 1");

struct text;

// Takes the arguments that the loader passes to a constructor.
void process_title_start(int count, char **arguments);

// Called when the program names one of its threads: the next snapshots read the name.
void process_title_renames(void);

// Reads the command line now. Also reads the name if with_name is set, or if the name may have
// changed.
void process_title_look(bool with_name);

// If the kernel refused to let the parent read the name, a fork's child tries again.
void process_title_fork(void);

// Writes the name as the header's field comm=.
void process_title_write_name(struct text *text);

// Writes the line `# command`.
void process_title_write(struct text *text);

// Writes a line for the command if the command has changed since it was last written. Does the same
// for the name. Returns true if it has written a line.
bool process_title_write_changes(struct text *text);

// Called when the log file has neither the command nor the name yet: both are written again.
void process_title_forget(void);

#endif
