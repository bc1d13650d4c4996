// page: pages of code that can be read. Code that describes itself nowhere is known by its bytes.
//
// Who may call: a thread that holds the guard, in a walk. Never allocates, never blocks. The kernel is
// asked about each page, but not again, in one walk, where the thread's stack is in its code: while it is
// there, that stays.

#ifndef PMEM_PAGE_H
#define PMEM_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_NOTED = 2 };

// Those that the calling thread's walk met last.
struct page_noted {
	unsigned met; // so far
	uintptr_t pages[PAGE_NOTED];
};
extern __thread struct page_noted page_noted;

// A walk begins.
static inline void
page_begin(void)
{
	page_noted.met = 0;
}

// Whether so many bytes can be read.
bool page_can_read(uintptr_t from, size_t bytes);

// Of an address that the stack has: the page of the byte before it, which could be read, is not asked
// about again.
void page_note(uintptr_t pc);

#endif
