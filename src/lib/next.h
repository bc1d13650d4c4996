// next: the definition of a function that a program's calls would reach without us.
//
// Who may call: any thread, at any moment. Never allocates. It visits the loader's list.
//
// Asked before the program can have loaded anything by itself, when the list is the global
// scope, the answer holds for good: whoever's call comes to us came by that scope. It is
// dlsym(RTLD_NEXT)'s, which allocates where it fails, with the loader half-way in its work.
//
// What a program loads for itself alone, a C program's plugin in C++ with its library, comes
// behind that scope. So where there is no next, we must not be found: such a plugin may have
// an operator new of its own, and another plugin another.

#ifndef PMEM_NEXT_H
#define PMEM_NEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A function's code.
struct next_code {
	uintptr_t start; // 0: there is none
	uintptr_t bytes;
};

struct next_pair {
	struct next_code own;  // ours
	struct next_code next; // of the first object behind us on the loader's list that has one
};

// Looks all names up. False when the list cannot be visited now.
bool next_find(const char *const *names, struct next_pair *pairs, size_t count);

// Takes those of our own functions that have no next out of our symbol table as the loader sees
// it: what is loaded from now on binds as it would without us. Where the table cannot be
// written to, they stay.
void next_hide(const char *const *names, const struct next_pair *pairs, size_t count);

#endif
