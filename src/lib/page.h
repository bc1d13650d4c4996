// page: what pages of code belong to, remembered until some object is unloaded.
//
// Who may call: any thread that holds the guard. Never allocates, never blocks, takes no lock:
// an entry is two words that check each other, so that one torn between two writers, or of an
// earlier generation, is none. What is forgotten is asked for again.

#ifndef PMEM_PAGE_H
#define PMEM_PAGE_H

#include <stdint.h>

// What was kept of that page in this generation; 0: nothing.
uint64_t page_get(uintptr_t pc, uint64_t generation);

// `place` is not 0. No page is of two objects.
void page_keep(uintptr_t pc, uint64_t generation, uint64_t place);

#endif
