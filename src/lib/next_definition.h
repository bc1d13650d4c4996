// next_definition: what a program's calls of a function would reach without us.
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
// that looks for mallocx() wants to know whether it runs on jemalloc. So our function is taken out
// of the symbol table, unless an object that was loaded at the start refers to it: that may be
// bound to ours already, which then has to do the work.

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
	const void *symbol;     // that, in our object's table; NULL: it is not ours
	struct code_range code; // of the first object behind us on the loader's list that has one
	struct code_range home; // that object
	unsigned place;         // of it on that list
	uintptr_t before; // where the first object before us has one, or 0
	bool asked;       // an object that does not define it refers to it
};

// Notes a function, in any file: next_definition_start() finds all that were noted.
#define NEXT_DEFINITION_NOTE(label, function) \
	static struct next_definition *const noted_##label __attribute__((section("pmem_next"), used)) \
		= &(function)

extern bool next_definition_ready; // written with release

// Finds the next definitions of all that were noted. Where there is none, and nobody has asked for
// one, ours is taken out of the symbol table as the loader sees it: what is loaded from now on
// binds as it would without us. Where the table cannot be written to, ours stays. When the list
// cannot be visited now, nothing is done, and next_definition_is_ready() stays false.
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
