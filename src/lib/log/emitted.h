// SPDX-License-Identifier: BSD-2-Clause
// emitted: which modules and stacks the current log file already has, so that they are not written
// again.
//
// Who may call: the one thread that writes a snapshot. Never allocates. Each file has a number, and
// each source keeps the number of the last file that has its stack. So all stacks are forgotten at
// once: the file's number changes.
//
// Two sources may have the same id, if the same code is loaded at two addresses. Then a snapshot's
// entry with this id may be of either source. So from then on both sources are always written with
// their stacks.

#ifndef PMEM_EMITTED_H
#define PMEM_EMITTED_H

#include <stdbool.h>
#include <stdint.h>

// Forgets everything. Called when the log file is new, or lacks what was written last.
void emitted_forget(void);

// Forgets the modules that are marked as LEFT (module_table.h). Their numbers will be given to
// other modules.
void emitted_forget_modules(void);

bool emitted_has_module(uint32_t module);
void emitted_add_module(uint32_t module);

// Returns true if the current file has the source's stack, and the source's id alone identifies it.
bool emitted_has_stack(uint32_t source);

// Records that the file has the source's stack. If `whole` is false, some names of functions in the
// stack are not known yet. Then the stack is written again later.
void emitted_add_stack(uint32_t source, bool whole);

#endif
