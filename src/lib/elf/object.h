// SPDX-License-Identifier: BSD-2-Clause
// object: what the loader knows of the ELF object at an address.
//
// Who may call: any thread, at any moment. Never allocates. With glibc 2.35 or newer it
// takes no lock; with an older one dl_iterate_phdr()'s, which the loader holds only while it
// changes its list, never while constructors run. A program may take an object's pages away: the kernel
// is asked before any is read.

#ifndef PMEM_OBJECT_H
#define PMEM_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/segment.h"

enum {
	// A linker puts the ELF header and the program headers here, at an object's start.
	OBJECT_HEADERS_BYTES = 4096,
	OBJECT_BUILD_ID_MAX = 20,
};

// Call frame information, and the segments that it lies in. Most linkers put .eh_frame
// beside its header; where some of it was writable it is in another segment.
struct object_unwind {
	uintptr_t header; // .eh_frame_hdr; 0: there is none
	struct segment around_header;
	struct segment around_frames; // .eh_frame; empty: not found
	uintptr_t there; // an address whose page was asked for just now, and is there; 0: none was
};

struct object {
	uintptr_t start; // first mapped byte, and the one past the last
	uintptr_t end;
	uintptr_t base;   // what its ELF addresses are relative to
	struct object_unwind unwind;
	bool readable;    // at its first byte, says its file
	const char *name; // the loader's: valid while the object is loaded; "" is the program
};

// The object is read where it lies: ask the list (loader.h) instead for an address that
// another thread may be unloading just now. The same holds for object_info().
bool object_at(uintptr_t address, struct object *object);

// The object as the list would have it, without the list. False also where the C library has
// no other way to it.
bool object_info(uintptr_t address, struct dl_phdr_info *loaded);

// Whether the object at an address is one that begins there, where that is told without the list;
// else it is said to be.
bool object_starts_at(uintptr_t address, uintptr_t start);

// The same by dl_iterate_phdr(): what older C libraries have.
bool object_at_by_list(uintptr_t address, struct object *object);

// The range that an object on the loader's list is mapped in.
void object_range(const struct dl_phdr_info *loaded, struct object *object);

// The GNU build-id out of its notes in memory; how many bytes it has, 0: none.
uint8_t object_build_id(const struct object *object, uint8_t id[OBJECT_BUILD_ID_MAX]);

// All of it. While the list is being visited nothing on it is unloaded.
void object_describe(const struct dl_phdr_info *loaded, struct object *object);

#endif
