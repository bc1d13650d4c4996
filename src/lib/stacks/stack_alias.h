// SPDX-License-Identifier: BSD-2-Clause
// stack_alias: which source a stack counts as that has none of its own.
//
// Who may call: any thread. Never allocates, takes no lock: an entry is one word. What is
// forgotten, since another stack came in its place, is found out again.

#ifndef PMEM_STACK_ALIAS_H
#define PMEM_STACK_ALIAS_H

#include <stdint.h>

// Of the upper bits of a stack's hash, and the number of its source in the lower
// TAG_SOURCE_BITS; 0: not known.
uint64_t stack_alias_get(uint64_t hash);
void stack_alias_keep(uint64_t word);

// All of them.
void stack_alias_forget(void);

// Makes room for more, where many stacks will come: those that are kept are forgotten.
void stack_alias_make_room(void);

// The most memory that this takes.
#define STACK_ALIAS_BYTES_MAX ((uint64_t)8 << 16)

#endif
