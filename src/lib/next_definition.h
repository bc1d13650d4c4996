// next_definition: what a program's calls of a function would reach without us.
//
// Who may call: any thread, at any moment. Never allocates. It visits the loader's list, and
// waits for that as loader.h says; when it cannot be visited, it is for the next call to try.
//
// Asked before the program can have loaded anything by itself, when the list is the global
// scope, the answer holds for good: whoever's call comes to us came by that scope. It is the
// one that the program's own calls would reach: with or without a version, of whatever kind
// (dlsym(RTLD_NEXT) does not find what has a version that is not the default, as all in
// libc_malloc_debug.so has; and where it fails it allocates, with the loader half-way in its
// work).
//
// What a program loads for itself alone, a C program's plugin in C++ with its library, comes
// behind that scope. So where there is no next, we must not be found: such a plugin may have
// an operator new of its own, and another plugin another; and a program that asks for
// mallocx() wants to know whether it is on jemalloc. Our function leaves the symbol table;
// unless what was loaded at the start asks for it, and may have been told already that it is
// there: then it has to do.

#ifndef PMEM_NEXT_DEFINITION_H
#define PMEM_NEXT_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// A function that we export. What is found of it is written once, before ready.
struct next_definition {
	const char *name;
	uint32_t hash;          // of the name
	struct code_range own;  // ours
	struct code_range code; // of the first object behind us on the loader's list that has one
	struct code_range home; // that object
	unsigned place;         // of it on that list
	uintptr_t before; // where the first object before us has one, or 0; next_definition_find()'s
	bool asked;       // an object that has none refers to it
};

// Notes it, in any file: next_definition_start() sees to all that were.
#define NEXT_DEFINITION_NOTE(label, function) \
	static struct next_definition *const noted_##label __attribute__((section("pmem_next"), used)) \
		= &(function)

extern bool next_definition_ready; // written with release

// Finds the next definitions of all that were noted. Our own where there is none, and nobody
// asked, are taken out of the symbol table as the loader sees it: what is loaded from now on
// binds as it would without us. Where the table cannot be written to, they stay. When the
// list cannot be visited now, nothing is done, and next_definition_is_ready() stays false.
void next_definition_start(void);

// Finds functions that were not noted, which need not be ours, in one visit. False: the list
// cannot be visited now.
bool next_definition_find(struct next_definition *const *wanted, size_t count);

static inline bool
next_definition_is_ready(void)
{
	return __builtin_expect(__atomic_load_n(&next_definition_ready, __ATOMIC_ACQUIRE), 1);
}

#pragma GCC visibility pop

#endif
