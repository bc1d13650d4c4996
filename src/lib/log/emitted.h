// SPDX-License-Identifier: BSD-2-Clause
// emitted: which modules and stacks the current log file already has, so that they are not written
// again.
//
// Who may call: the one thread that writes a snapshot. Never allocates. Forgetting all stacks is
// cheap: each file has a number, and a source keeps the number of the last file that has its stack.
//
// Two sources may have the same id, if the same code is loaded at two addresses. Then the id alone
// does not say to which of the two sources an entry of a snapshot belongs. So both sources are
// always written with their stacks from then on.

#ifndef PMEM_EMITTED_H
#define PMEM_EMITTED_H

#include <stdbool.h>
#include <stdint.h>

// Forgets everything. Called when the log file is a new one, or lacks what was written last.
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
