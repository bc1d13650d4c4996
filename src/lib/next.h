// next: the definition of a function that a program's calls would reach without us.
//
// Who may call: any thread, at any moment. Never allocates. It visits the loader's list.
//
// dlsym(RTLD_NEXT) answers that for what stands in the global scope, but where it fails it
// allocates, with the loader half-way in its work; and a library that a program loads for
// itself alone is in no such scope, though its calls come to us.

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

#endif
