// SPDX-License-Identifier: BSD-2-Clause
// object: describes the ELF object at an address, by the loader's data.
//
// Who may call: any thread, at any moment. Never allocates. With glibc 2.35 or newer, this module
// mostly takes no lock. Otherwise it takes the lock of dl_iterate_phdr(). The loader holds this
// lock only while it changes its list, never while constructors run. A program may unmap an
// object's pages: the kernel is asked before any page is read.

#ifndef PMEM_OBJECT_H
#define PMEM_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/segment.h"

enum {
	// Linkers put the ELF header and the program headers into the first bytes of an object, at most
	// this many.
	OBJECT_HEADERS_BYTES = 4096,
	OBJECT_BUILD_ID_MAX = 20,
};

// Call frame information, and the segments that contain it. Most linkers put .eh_frame into the
// segment of its header, .eh_frame_hdr. A writable .eh_frame is in another segment.
struct object_unwind {
	uintptr_t header; // address of .eh_frame_hdr; 0 if there is none
	struct segment around_header;
	struct segment around_frames; // the segment that has .eh_frame; empty if not found
	// an address on a page that was just found to be mapped, and need not be checked again; or 0
	uintptr_t there;
};

struct object {
	uintptr_t start; // address of the first mapped byte; `end` is one past the last
	uintptr_t end;
	uintptr_t base;   // load address, to which the addresses in the object's file are relative
	struct object_unwind unwind;
	bool readable;    // true if, according to the program headers, the first byte is readable
	// path, in the loader's memory: valid while the object is loaded; "" for the program
	const char *name;
};

// Describes the object at an address. The object is read in place: if another thread may be
// unloading it, visit the list (loader.h) instead. The same holds for object_info().
bool object_at(uintptr_t address, struct object *object);

// Sets `loaded` to what the loader's list says of the object at an address, without visiting the
// list. Returns false if there is no object, or if only a visit of the list could tell.
bool object_info(uintptr_t address, struct dl_phdr_info *loaded);

// Does the same, and visits the list if only that can tell: on musl, and on glibc before 2.35.
bool object_info_anyhow(uintptr_t address, struct dl_phdr_info *loaded);

// Returns true if the object at `address` begins at `start`. Also returns true if only a visit of
// the loader's list could tell.
bool object_starts_at(uintptr_t address, uintptr_t start);

// Does the same as object_at(), by dl_iterate_phdr(), for older C libraries.
bool object_at_by_list(uintptr_t address, struct object *object);

// Sets `start`, `end` and `readable` of an object on the loader's list.
void object_range(const struct dl_phdr_info *loaded, struct object *object);

// Reads the GNU build-id from the object's notes in memory. Returns the build-id's length in bytes,
// or 0 if the object has no build-id.
uint8_t object_build_id(const struct object *object, uint8_t id[OBJECT_BUILD_ID_MAX]);

// Describes an object on the loader's list completely. Called in a visit of the list, when no
// object on it can be unloaded.
void object_describe(const struct dl_phdr_info *loaded, struct object *object);

#endif
