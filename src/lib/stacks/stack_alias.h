// SPDX-License-Identifier: BSD-2-Clause
// stack_alias: remembers which source counts a stack that has no source of its own. Most such
// stacks are longer than their source's stack, which is a shortened form (source.h).
//
// Who may call: any thread. Never allocates, takes no lock: an entry is one word.

#ifndef PMEM_STACK_ALIAS_H
#define PMEM_STACK_ALIAS_H

#include <stdint.h>

// A word has the upper bits of a stack's hash. In the lower TAG_SOURCE_BITS it has the number of
// the stack's source. stack_alias_get() returns 0 if no word is stored for the hash. Another stack
// may have replaced the word. The caller then finds the source in the slow way, and stores the word
// again.
uint64_t stack_alias_get(uint64_t hash);
void stack_alias_keep(uint64_t word);

// Forgets all aliases.
void stack_alias_forget(void);

// Makes room for more aliases. Forgets most present aliases. Called when an interpreter's lines are
// first found in a stack: many more stacks will then come.
void stack_alias_make_room(void);

// Upper bound of the memory that this module takes.
#define STACK_ALIAS_BYTES_MAX ((uint64_t)8 << 16)

#endif
