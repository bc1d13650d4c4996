// SPDX-License-Identifier: BSD-2-Clause
// process_title: what this process is called by now: its command line, and its name for the kernel
// (comm).
//
// Who may call: process_title_start() the constructor; process_title_renames() any thread; the
// others the one thread that writes a snapshot, and a fork's child. Never allocates, waits for
// nobody, keeps errno. What cannot be had is left out.
//
// The kernel takes a command line from the process's own memory, the outer end of its first
// stack, and who changes a title writes over it there. So do we read it there, for a system call
// or two a snapshot, and where there is no /proc. The name has to be asked for: with a header,
// and where there is reason to think that it is another.

#ifndef PMEM_PROCESS_TITLE_H
#define PMEM_PROCESS_TITLE_H

#include <stdbool.h>

struct text;

// As the loader hands them to a constructor.
void process_title_start(int count, char **arguments);

// The program gives one of its threads a name.
void process_title_renames(void);

// Looks what it is now; with_name: the name, too, in any case.
void process_title_look(bool with_name);

// In a fork's child. What its parent had open is closed, unless the two may share their
// descriptors.
void process_title_fork(void);

// The header's field for the name.
void process_title_write_name(struct text *text);

// The line of the command.
void process_title_write(struct text *text);

// Lines for what is not as it was last told; false: nothing is.
bool process_title_write_changes(struct text *text);

// What was written last is not in the file.
void process_title_forget(void);

#endif
