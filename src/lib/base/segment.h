// SPDX-License-Identifier: BSD-2-Clause
// segment: the part of a loaded ELF object that the loader maps in one piece.
//
// Who may call: whoever knows that the object is not unloaded meanwhile. Never allocates.

#ifndef PMEM_SEGMENT_H
#define PMEM_SEGMENT_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

// Bytes of an object that can be read, unless the program unmaps them.
struct segment {
	uintptr_t start;
	uintptr_t end;
};

static inline bool
segment_has(const struct segment *segment, uintptr_t at, uint64_t bytes)
{
	return at >= segment->start && at < segment->end && bytes <= segment->end - at;
}

// Returns the readable segment that has the address, up to the last byte that comes from the file.
// Returns an empty range if no such segment has the address.
static inline struct segment
segment_around(const struct dl_phdr_info *loaded, uintptr_t address)
{
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &loaded->dlpi_phdr[i];
		uintptr_t start = loaded->dlpi_addr + header->p_vaddr;
		if (header->p_type == PT_LOAD && header->p_flags & PF_R && address >= start
			&& address - start < header->p_filesz && header->p_filesz <= -start)
			return (struct segment){start, start + header->p_filesz};
	}
	return (struct segment){0, 0};
}

#endif
