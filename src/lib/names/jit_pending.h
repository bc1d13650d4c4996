// SPDX-License-Identifier: BSD-2-Clause
// jit_pending: frames of sources in code that lies in no file, since it was made at run time: of those
// sources that are new, a few at a time and each once.
//
// Who may call: the one thread that writes a snapshot. Never allocates.

#ifndef PMEM_JIT_PENDING_H
#define PMEM_JIT_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Notes them, but for those of which is_known() says so. False: there is no room for all before
// jit_pending_take().
bool jit_pending_look(bool (*is_known)(uint64_t pc));

// Whether there is any.
bool jit_pending_any(void);

// Gives them, sorted by address, until the next look, and how many there are: then it has none.
const uint64_t *jit_pending_take(size_t *count);

// Has none, and of the sources that there are it will not look at one again.
void jit_pending_pass(void);

// Has none; and the same are noted again if they come again.
void jit_pending_forget(void);

#endif
