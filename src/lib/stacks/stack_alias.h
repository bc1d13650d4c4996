// SPDX-License-Identifier: BSD-2-Clause
// stack_alias: for each stack without a source of its own, remembers the source that counts it. The
// source's stack mostly is a shortened form of that stack (source.h).
//
// Who may call: any thread. Never allocates, takes no lock: an entry is one word.

#ifndef PMEM_STACK_ALIAS_H
#define PMEM_STACK_ALIAS_H

#include <stdint.h>

// A word has the upper bits of a stack's hash. Its lower TAG_SOURCE_BITS are the number of the
// stack's source. stack_alias_get() returns 0 if no word is stored for the hash: the word of
// another stack may have replaced it. The caller then finds the source in the slow way, and stores
// the word again.
uint64_t stack_alias_get(uint64_t hash);
void stack_alias_keep(uint64_t word);

// Forgets all aliases.
void stack_alias_forget(void);

// Makes room for more aliases. Forgets most present aliases. Called when an interpreter's lines are
// first found in a stack: many more stacks will follow.
void stack_alias_make_room(void);

// Upper bound of the memory that this module takes.
#define STACK_ALIAS_BYTES_MAX ((uint64_t)8 << 16)

#endif
