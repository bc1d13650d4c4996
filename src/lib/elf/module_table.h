// SPDX-License-Identifier: BSD-2-Clause
// module_table: the entries of modules, by number, and by what they are.
//
// Who may call: any thread that holds the guard; leaving and reusing are for the thread that
// writes a snapshot. Never allocates, takes no lock. An entry is written whole before it is found,
// so one whose writer was stopped in the middle costs a number and nothing else. Where there is
// no room the number is MODULE_NONE.

#ifndef PMEM_MODULE_TABLE_H
#define PMEM_MODULE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "elf/object.h"

_Static_assert(PMEM_MODULES >= 16 && PMEM_MODULES <= 32767,
	"PMEM_MODULES must be from 16 to 32767: its number has 15 bits in a frame");

enum {
	MODULE_NONE = 0, // no ELF object is known there: code made at run time, or no room
	MODULE_NAME_MAX = 512, // characters; a longer path ends in "..."
};

// MODULE_HERE -> GOING -> GONE; back to HERE when the object is loaded again. GONE -> LEFT, and
// back where the entry is still needed; else its number becomes another's.
enum module_stay {
	MODULE_HERE,
	MODULE_GOING, // a thread is about to tell that it is gone; whoever finds it so does it, too
	MODULE_GONE,
	MODULE_LEFT,
};

struct module {
	uintptr_t start; // first mapped byte, and the one past the last
	uintptr_t end;
	uintptr_t base;     // what its ELF addresses are relative to
	uint64_t name_hash; // of the file's name without its directory
	uint64_t path_hash; // of all of it
	uint64_t salt;      // see module_salt()
	const char *name;   // the path, made harmless for the log
	uint32_t name_length;
	uint32_t name_room; // for this name or a later one
	enum module_stay stay; // atomic
	uint8_t build_id[OBJECT_BUILD_ID_MAX];
	uint8_t build_id_bytes;
	bool ready;    // the fields above are set; written with release
	uint16_t next; // the number of the next entry on its list in the index; atomic
};

// Numbers are 1..module_table_count(). NULL while another thread is still filling it in, or when it
// is nobody's.
uint32_t module_table_count(void);
const struct module *module_table_get(uint32_t number);

// The entry's `stay`, for who changes it.
enum module_stay *module_table_stay(uint32_t number);

// Equal for entries of the same object at the same place, and not 0.
uint64_t module_table_identity(const struct module *object);

// The number of the object's entry.
uint32_t module_table_find(const struct module *object);

// Gives the described object an entry, unless another thread just did: that one's number.
uint32_t module_table_enter(struct module *object, const char *path);

// Whether more than half of the numbers are in use.
bool module_table_is_short(void);

// Reuse, in three steps. module_table_leave() marks all entries as left whose object is gone;
// module_table_keep() takes that back for one that a frame still names; and module_table_reuse()
// gives the numbers of the others to new objects.
void module_table_leave(void);
void module_table_keep(uint32_t number);
void module_table_reuse(void);
bool module_table_has_left(void);

static inline bool
module_table_is_left(uint32_t number)
{
	return __atomic_load_n(module_table_stay(number), __ATOMIC_ACQUIRE) == MODULE_LEFT;
}

#endif
