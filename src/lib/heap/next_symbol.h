// SPDX-License-Identifier: BSD-2-Clause
// next_symbol: what a program's calls of a function would reach without us.
//
// Who may call: any thread, at any moment. Never allocates. It visits the loader's list, and
// waits for that as loader.h says; when it cannot be visited, it is for the next call to try.
//
// The list is visited before the program can have loaded anything by itself. It is the global
// scope then, by which each call that comes to us was bound; so the answer holds for good. It has
// what the program's own calls would reach, of whatever version. (dlsym(RTLD_NEXT) finds nothing
// whose version is not the default, as in all of libc_malloc_debug.so; and where it fails it
// allocates, while the loader is in the middle of its work.)
//
// Where there is no next definition, ours must not be found, either. A C program may load plugins
// in C++ later, each with an operator new of its own, which come behind that scope; and a program
// that looks for mallocx() wants to know whether it runs on jemalloc. So our function loses its
// hash in our symbol table, by which it would be found, unless an object that was loaded at the
// start refers to it: that may be bound to ours already, which then has to do the work.

#ifndef PMEM_NEXT_SYMBOL_H
#define PMEM_NEXT_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dynsym.h"

// See libc.h.
#pragma GCC visibility push(hidden)

// A function's code, or an object's addresses.
struct code_range {
	uintptr_t start; // 0: there is none
	uintptr_t bytes;
};

static inline bool
code_range_has(const struct code_range *range, uintptr_t pc)
{
	return pc - range->start < range->bytes;
}

// The name of a function that we export. That is constant, so that its page stays the file's.
struct next_name {
	char name[60];
	uint32_t hash;
};

// What is found of it, once, before ready.
struct next_symbol {
	struct code_range code; // of the first object behind us on the loader's list that has one
	struct code_range home; // that object
	uintptr_t before; // where the first object before us has one, or 0
	uint64_t place;   // of home on that list
	uint64_t unused[2]; // a name is as long
};

#define NEXT_NAME(symbol_name) {symbol_name, DYNSYM_HASH(symbol_name)}

// Names for next_symbol_start() are constants, or arrays of them, with this attribute, in any
// file. The linker puts them in a row: without an alignment of their own a compiler might leave
// room between.
#define NEXT_NAME_NOTED \
	__attribute__((section("pmem_next"), used, aligned(_Alignof(struct next_name))))

enum { NEXT_SYMBOLS_MAX = 144 };

// By the numbers of the names that were noted.
extern struct next_symbol next_symbols[NEXT_SYMBOLS_MAX];
extern const struct next_name __start_pmem_next[]; // as linkers name its ends
extern const struct next_name __stop_pmem_next[];

_Static_assert(sizeof(struct next_name) == sizeof(struct next_symbol),
	"a name is as far from the first as what was found of it");

static inline struct next_symbol *
next_symbol_of(const struct next_name *noted)
{
	uintptr_t distance = (uintptr_t)noted - (uintptr_t)__start_pmem_next;
	return (struct next_symbol *)((uintptr_t)next_symbols + distance);
}

extern bool next_symbol_ready; // written with release

// Finds the next definitions of all that were noted, unless they are known. Where there is none,
// and nobody has asked for one, ours is not to be found any more: what is loaded from now on binds
// as it would without us. Where the table of hashes cannot be written to, ours stays. When the list
// cannot be visited now, nothing is done, and next_symbol_is_ready() stays false.
void next_symbol_start(void);

// The same, and in the same visit functions that were not noted, which need not be ours: fewer than
// those. False: the list cannot be visited now.
bool next_symbol_find(
	const struct next_name *names, struct next_symbol *found, size_t count);

// Our own function of that name, also where it is not to be found any more.
struct code_range next_symbol_own(const struct next_name *name);

static inline bool
next_symbol_is_ready(void)
{
	return __builtin_expect(__atomic_load_n(&next_symbol_ready, __ATOMIC_ACQUIRE), 1);
}

#pragma GCC visibility pop

#endif
