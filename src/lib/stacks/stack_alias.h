// SPDX-License-Identifier: BSD-2-Clause
// stack_alias: remembers which sources stacks count as that have no source of their own.
//
// Who may call: any thread. Never allocates, takes no lock: an entry is one word. If another stack
// has replaced an entry, the caller searches the source in the slow way again.

#ifndef PMEM_STACK_ALIAS_H
#define PMEM_STACK_ALIAS_H

#include <stdint.h>

// A word has the upper bits of a stack's hash. In the lower TAG_SOURCE_BITS it has the number of
// the stack's source. stack_alias_get() returns 0 if no word is known for the hash.
uint64_t stack_alias_get(uint64_t hash);
void stack_alias_keep(uint64_t word);

// Forgets all aliases.
void stack_alias_forget(void);

// Makes room for more aliases. Called if many stacks will come. Forgets all present aliases.
void stack_alias_make_room(void);

// Upper bound of the memory that this module takes.
#define STACK_ALIAS_BYTES_MAX ((uint64_t)8 << 16)

#endif
