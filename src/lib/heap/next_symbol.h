// SPDX-License-Identifier: BSD-2-Clause
// next_symbol: finds the function that a program's calls of a name would reach without us.
//
// Who may call: any thread, at any moment. Never allocates. Visits the loader's list, and may wait
// for the list as loader.h says. If the list cannot be visited, the next call tries again.
//
// The list is visited before the program can have loaded anything by itself. The list is then the
// loader's global scope, in which each call that reaches us was bound. So the answer never changes.
// Definitions of any symbol version are found, as by the program's own calls. dlsym(RTLD_NEXT) is
// not used, for two reasons. dlsym() finds only default versions, and no symbol of
// libc_malloc_debug.so has a default version. A dlsym() that fails allocates in the middle of the
// loader's work.
//
// If a name has no next definition, our own function of that name must not be found, either. For
// instance, a C program may later load C++ plugins outside the global scope, each with an operator
// new of its own. Another program may look for mallocx() to learn whether its allocator is
// jemalloc. So our function is hidden: the hash by which the loader would find it is changed in our
// symbol table. Our function is not hidden if an object that was loaded at the start refers to it.
// That object may be bound to our function already, which then has to do the work.

#ifndef PMEM_NEXT_SYMBOL_H
#define PMEM_NEXT_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dynsym.h"

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

// A function's code, or an object's addresses.
struct code_range {
	uintptr_t start; // 0 if there is no such function or object
	uintptr_t bytes;
};

static inline bool
code_range_has(const struct code_range *range, uintptr_t pc)
{
	return pc - range->start < range->bytes;
}

// The name of a function that we export. Only constants of this type exist, so that their pages
// stay shared with the library's file.
struct next_name {
	char name[60];
	uint32_t hash;
};

// The definitions of a name that were found before and behind our library on the loader's list.
// Written once, before next_symbol_ready.
struct next_symbol {
	struct code_range code; // the function in the first object behind us that defines the name
	struct code_range home; // addresses of the object that has `code`
	uintptr_t before; // address of the definition in the first object before us, or 0
	uint64_t place;   // position of home on the loader's list
	uint64_t unused[2]; // pads to the size of struct next_name
};

#define NEXT_NAME(symbol_name) {symbol_name, DYNSYM_HASH(symbol_name)}

// An attribute that notes names for next_symbol_start(). It is given to constants, or to arrays of
// constants, in any file. The linker puts them in one array. The alignment keeps the compiler from
// leaving gaps between them.
#define NEXT_NAME_NOTED \
	__attribute__((section("pmem_next"), used, aligned(_Alignof(struct next_name))))

enum { NEXT_SYMBOLS_MAX = 144 };

// What was found for the names with NEXT_NAME_NOTED, in the order of these names.
extern struct next_symbol next_symbols[NEXT_SYMBOLS_MAX];
extern const struct next_name __start_pmem_next[]; // the section's ends, named by the linker
extern const struct next_name __stop_pmem_next[];

_Static_assert(sizeof(struct next_name) == sizeof(struct next_symbol),
	"a name is as far from the first as what was found of it");

static inline struct next_symbol *
next_symbol_of(const struct next_name *noted)
{
	uintptr_t distance = (uintptr_t)noted - (uintptr_t)__start_pmem_next;
	return (struct next_symbol *)((uintptr_t)next_symbols + distance);
}

extern bool next_symbol_ready; // true once next_symbols[] is filled in; written with release

// Finds the next definitions of all noted names, unless they are known. A function of ours
// without a next definition is hidden, unless an object refers to it. Objects that are loaded
// later then bind as they would without us. If the table of hashes cannot be written to, our
// function stays visible. If the list cannot be visited now, does nothing, and
// next_symbol_is_ready() stays false.
void next_symbol_start(void);

// Does the same as next_symbol_start(). In the same visit also finds the `count` names in names[].
// These names lack NEXT_NAME_NOTED, and need not be names that we export. `count` must be less than
// the number of noted names. Returns false if the list cannot be visited now.
bool next_symbol_find(
	const struct next_name *names, struct next_symbol *found, size_t count);

// Returns our own function of that name, even if it is hidden.
struct code_range next_symbol_own(const struct next_name *name);

static inline bool
next_symbol_is_ready(void)
{
	return __builtin_expect(__atomic_load_n(&next_symbol_ready, __ATOMIC_ACQUIRE), 1);
}

#pragma GCC visibility pop

#endif
