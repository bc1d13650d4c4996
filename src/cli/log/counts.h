// counts: what the log says of a source, of a snapshot or of all of it: bytes and calls since
// the process began. live is alloc - free, and blocks is allocs - frees, where both are known
// (the first pmem's logs have no calls: these are 0 there).

#ifndef PMEM_CLI_COUNTS_H
#define PMEM_CLI_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct counts {
	uint64_t live;   // bytes allocated and not yet freed
	uint64_t blocks; // allocations that hold them
	uint64_t alloc;  // bytes
	uint64_t allocs; // calls
	uint64_t free;   // bytes
	uint64_t frees;  // calls
};

static inline void
counts_add(struct counts *sum, const struct counts *more)
{
	sum->live += more->live;
	sum->blocks += more->blocks;
	sum->alloc += more->alloc;
	sum->allocs += more->allocs;
	sum->free += more->free;
	sum->frees += more->frees;
}

static inline void
counts_subtract(struct counts *sum, const struct counts *less)
{
	sum->live -= less->live;
	sum->blocks -= less->blocks;
	sum->alloc -= less->alloc;
	sum->allocs -= less->allocs;
	sum->free -= less->free;
	sum->frees -= less->frees;
}

#endif
