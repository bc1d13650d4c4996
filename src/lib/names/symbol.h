// SPDX-License-Identifier: BSD-2-Clause
// symbol: names for program counters, from the dynamic symbol tables in memory. The names of code
// that is in no file are in jit_name.h.
//
// Who may call: the one thread that writes a snapshot. Never allocates. Takes the loader's list
// lock (dl_iterate_phdr()). While a thread holds this lock, no object can be unloaded.
//
// dladdr() is not called, since it takes another lock, which the loader holds while it runs
// constructors. If a constructor waited for our thread, and our thread for that other lock, both
// would wait for ever. While constructors run, the loader does not hold its list lock.
//
// A name is looked up once and stored. If a name cannot be found or stored, the frame shows module
// and offset.

#ifndef PMEM_SYMBOL_H
#define PMEM_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "sources/source.h"
#include "base/table.h"

_Static_assert(PMEM_SYMBOLS >= 1024 && PMEM_SYMBOLS <= 1 << 24
		&& (PMEM_SYMBOLS & (PMEM_SYMBOLS - 1)) == 0,
	"PMEM_SYMBOLS must be a power of two from 1024 to 16777216");
_Static_assert(PMEM_SYMBOLS_PER_SNAPSHOT >= 1 && PMEM_SYMBOLS_PER_SNAPSHOT <= PMEM_SYMBOLS,
	"PMEM_SYMBOLS_PER_SNAPSHOT must be from 1 to PMEM_SYMBOLS");

enum {
	SYMBOL_NAME_MAX = 256, // characters; a longer name ends in "..."
};

// Upper bound of the memory: entries, an index at most half full, names.
#define SYMBOL_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_SYMBOLS * (16 + 2 * 4 + 32))

struct symbol {
	const char *name; // escaped for the log (text_escaped())
	uint32_t name_length;
	uint32_t offset; // distance from the symbol's value to the frame's pc
};

// Stores a name, escaped for the log. Returns its number, or 0 if there is no room.
uint32_t symbol_keep_name(const char *name);

// Returns the stored name of this number.
struct symbol symbol_kept_name(uint32_t name, uint32_t offset);

// Notes a frame whose name symbol_look_up() must find. If `exact`, the frame's pc lies in the
// function to be named. Otherwise the pc is a return address, and the function that made the call
// is named. Returns false if PMEM_SYMBOLS_PER_SNAPSHOT are noted already: no more can be looked up
// at a time.
bool symbol_want(struct frame frame, bool exact);

// Returns true if a look-up of the frame's name would find nothing new.
bool symbol_is_settled(struct frame frame);

// Looks up all noted frames.
void symbol_look_up(void);

// Forgets the names in modules marked as left (module_table.h): the modules' numbers will be
// reused.
void symbol_forget(void);

// Returns false if the frame has no name (yet).
bool symbol_get(struct frame frame, struct symbol *symbol);

#endif
