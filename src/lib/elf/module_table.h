// SPDX-License-Identifier: BSD-2-Clause
// module_table: the entries of modules, found by number and by identity.
//
// Who may call: any thread that holds the guard. Only the thread that writes a snapshot may mark
// entries as LEFT, and reuse them. Never allocates, takes no lock. An entry is complete before it
// can be found. If a thread is stopped while it writes an entry, one number is lost and nothing
// else. If there is no room, an object's number is MODULE_NONE.

#ifndef PMEM_MODULE_TABLE_H
#define PMEM_MODULE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "elf/object.h"

_Static_assert(PMEM_MODULES >= 16 && PMEM_MODULES <= 32767,
	"PMEM_MODULES must be from 16 to 32767: its number has 15 bits in a frame");

enum {
	// stands for no known ELF object: the code was made at run time, or the table had no room
	MODULE_NONE = 0,
	MODULE_NAME_MAX = 512, // characters; a longer path ends in "..."
};

// Whether an entry's object is loaded. While the object is loaded, the entry is HERE. When the
// object is unloaded, the entry becomes GOING and then GONE. When the object is loaded again, the
// entry becomes HERE again. When numbers run short, GONE entries become LEFT. If a frame still
// names a LEFT entry, the entry becomes GONE again. Otherwise the entry's number is given to
// another object.
enum module_stay {
	MODULE_HERE,
	// a thread is about to mark the entry GONE; any other thread may do that instead
	MODULE_GOING,
	MODULE_GONE,
	MODULE_LEFT,
};

struct module {
	uintptr_t start; // address of the first mapped byte; `end` is one past the last
	uintptr_t end;
	uintptr_t base;     // load address, to which the addresses in the object's file are relative
	uint64_t name_hash; // hash of the file's name without its directory
	uint64_t path_hash; // hash of the whole path
	uint64_t salt;      // see module_salt()
	const char *name;   // the path, escaped for the log
	uint32_t name_length;
	// bytes of room at `name`; a later object with this number may use the same room
	uint32_t name_room;
	enum module_stay stay; // atomic
	uint8_t build_id[OBJECT_BUILD_ID_MAX];
	uint8_t build_id_bytes;
	bool ready;    // the fields above are set; written with release
	uint16_t next; // the number of the next entry on its list in the index; atomic
};

// Numbers are 1..module_table_count(). module_table_get() returns NULL while another thread is
// filling in the entry, or if the number is unused.
uint32_t module_table_count(void);
const struct module *module_table_get(uint32_t number);

// Returns the address of the entry's `stay`, for callers that change it.
enum module_stay *module_table_stay(uint32_t number);

// Returns a hash of what identifies an object: path, address range and build-id. Never 0.
uint64_t module_table_identity(const struct module *object);

// Returns the number of the object's entry, or MODULE_NONE if there is none.
uint32_t module_table_find(const struct module *object);

// Gives the described object an entry and returns its number. If another thread has just given it
// an entry, returns that entry's number. Returns MODULE_NONE if there is no room.
uint32_t module_table_enter(struct module *object, const char *path);

// Returns true if more than half of the numbers are in use.
bool module_table_is_short(void);

// Reuse, in three steps. module_table_leave() makes all GONE entries LEFT. module_table_keep() is
// called for each entry that a frame still names. If the entry is LEFT, it becomes GONE again.
// module_table_reuse() frees the numbers of all entries that are still LEFT, for new objects.
// module_table_has_left() returns true if any entry is LEFT.
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
