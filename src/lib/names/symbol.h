// SPDX-License-Identifier: BSD-2-Clause
// symbol: names for program counters, from the dynamic symbol tables in memory; for code in no
// file by what its maker tells (jit_name.h).
//
// Who may call: the one thread that writes a snapshot. Never allocates. Takes the loader's list
// lock (dl_iterate_phdr()), under which nothing can be unloaded, and which the loader never holds
// while it runs constructors. It holds dladdr()'s lock then, so dladdr() is not for us: a
// constructor that waits for our thread would wait for ever.
//
// A name is looked up once and kept. What cannot be found or kept has none: its frame shows
// module and offset.

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

// The most memory that they take: what is known of each, an index at most half full, names.
#define SYMBOL_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_SYMBOLS * (16 + 2 * 4 + 32))

struct symbol {
	const char *name; // made harmless for the log
	uint32_t name_length;
	uint32_t offset; // of the frame's pc from the symbol's value
};

// Keeps a name, made harmless for the log. 0: there is no room.
uint32_t symbol_keep_name(const char *name);

// The name that was kept so.
struct symbol symbol_kept_name(uint32_t name, uint32_t offset);

// Notes a frame whose name will be wanted. `exact`: its pc is to be named itself, and is
// not the return address behind a call. False when no more than the
// PMEM_SYMBOLS_PER_SNAPSHOT noted so far can be looked up at a time.
bool symbol_want(struct frame frame, bool exact);

// Whether what is known of its name is all that there will be.
bool symbol_is_settled(struct frame frame);

// Looks up what was noted.
void symbol_look_up(void);

// Forgets the names in modules that are left (module_table.h): their numbers become others'.
void symbol_forget(void);

// False when the frame has no name, or none yet.
bool symbol_get(struct frame frame, struct symbol *symbol);

#endif
