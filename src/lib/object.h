// object: what the loader knows of the ELF object at an address.
//
// Who may call: any thread, at any moment. Never allocates. With glibc 2.35 or newer it
// takes no lock; before, dl_iterate_phdr()'s, which the loader holds only while it changes
// its list, never while constructors run.

#ifndef PMEM_OBJECT_H
#define PMEM_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct object {
	uintptr_t start; // first mapped byte, and the one past the last
	uintptr_t end;
	uintptr_t base;   // what its ELF addresses are relative to
	const char *name; // the loader's: valid while the object is loaded; "" is the program
};

// Looks up _dl_find_object(). Until it was called, object_at() goes the slow way.
void object_start(void);

bool object_at(uintptr_t address, struct object *object);

// The same by dl_iterate_phdr(): what older C libraries have.
bool object_at_by_list(uintptr_t address, struct object *object);

// The range that an object on the loader's list is mapped in.
void object_range(const struct dl_phdr_info *loaded, struct object *object);

#endif
