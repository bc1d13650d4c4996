// SPDX-License-Identifier: BSD-2-Clause
// bypass: finds loaded objects whose calls of malloc()'s family go to the C library's functions and
// not to ours.
//
// Who may call: the one thread that writes a snapshot. The constructor calls bypass_start(). Never
// allocates. Objects that were loaded at the start are not examined. The loader's list of objects
// is walked only if it has changed, or if some calls were not bound yet. This module adds no cost
// to calls of malloc()'s family.
//
// PHP loads its extensions with RTLD_DEEPBIND. For an object loaded with this flag, the loader
// first searches the object and those that it needs. The C library is one of these. Only then it
// searches the global scope, where our functions come first. Other objects call __libc_free() and
// its kin, which exist only in glibc.

#ifndef PMEM_BYPASS_H
#define PMEM_BYPASS_H

#include <stdbool.h>

#include "base/text.h"

enum {
	BYPASS_NAMES_MAX = 8,
	BYPASS_NAME_BYTES = 160, // characters; a longer path ends in "..."
};

// Records which objects are loaded at the start. These objects' calls are bound as the program's
// own are.
void bypass_start(void);

// Examines the objects that were loaded since the start. Returns true if more objects bypass us
// than at the last look. Also marks the sources whose caller lies in an object that bypasses us
// (source_set_unseen()). For example, strdup() allocates a block for this object: the allocation is
// recorded, but the object's free() is not.
bool bypass_look(void);

// Writes the paths of the objects that bypass us, separated by commas.
void bypass_write(struct text *text);

#endif
