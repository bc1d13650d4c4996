// SPDX-License-Identifier: BSD-2-Clause
// bypass: loaded objects whose calls of malloc()'s family go past us, to the C library's.
//
// Who may call: the one thread that writes a snapshot; bypass_start(), the constructor. Never
// allocates. Nothing is asked of an object that was loaded at the start, nor twice of one whose
// calls are bound: what a call costs is what it did.
//
// What is loaded with RTLD_DEEPBIND, as PHP loads its extensions, looks for functions in itself and
// in what it needs, the C library among that, before the global scope that we stand at the head of.
// And __libc_free() and its kin are nobody's but glibc's. Which it is stands in the object's own
// table of addresses, once that is bound.

#ifndef PMEM_BYPASS_H
#define PMEM_BYPASS_H

#include <stdbool.h>

#include "base/text.h"

enum {
	BYPASS_NAMES_MAX = 8,
	BYPASS_NAME_BYTES = 160, // characters; a longer path ends in "..."
};

// What is loaded by now is bound as the program is.
void bypass_start(void);

// Looks at what was loaded since. Whether there are more such objects than at the last look.
// Marks the sources whose caller lies in one (source_set_unseen()): what strdup() allocates for it
// comes to us, and its free() does not.
bool bypass_look(void);

// Their paths, with commas between.
void bypass_write(struct text *text);

#endif
