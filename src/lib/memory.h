// memory: what the kernel says that this process holds, to be compared with what we counted.
//
// Who may call: the one thread that writes a block; a fork's child. Never allocates, waits
// for nobody, keeps errno. Where /proc is not to be had nothing is known: nothing is guessed.
//
// Pages that are swapped out, and those of hugetlbfs, are not resident. Older kernels count
// some pages late: before Linux 6.2 up to 64 a thread; then, on each processor, of each of
// three kinds of page, up to twice as many as there are processors, but at least 32.

#ifndef PMEM_MEMORY_H
#define PMEM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct memory {
	bool known;
	uint64_t rss;  // bytes resident
	uint64_t file; // of these, in pages of files and of shared memory
};

// Now.
void memory_look(struct memory *memory);

// In a fork's child. What its parent had open is closed, unless the two may share their
// descriptors.
void memory_fork(bool closes);

#endif
