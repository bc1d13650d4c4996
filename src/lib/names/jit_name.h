// SPDX-License-Identifier: BSD-2-Clause
// jit_name: names for code that lies in no file, since it was made at run time: by the process's perf
// map (perfmap.h), which tells of each range of code when it is made.
//
// Who may call: the one thread that writes a snapshot. Never allocates but by growing its tables.
//
// Code comes and goes, and other code comes to lie where it lay. A place in it, the frame of a
// source, has a name where that is certain: the map told of its range before the source was first
// seen by a snapshot, and of no other function there, neither in the time from the snapshot before,
// nor since. What it tells later, as Java does at its exit, counts where the code still has the
// bytes that it had then. A place in which another function came to lie is one that moved: it has
// no name from then on, and the log takes back the one that it had.

#ifndef PMEM_JIT_NAME_H
#define PMEM_JIT_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"
#include "names/jit_range.h"

struct text;

_Static_assert(PMEM_CODE_MAP_BYTES >= 65536 && PMEM_CODE_MAP_BYTES <= 1 << 30,
	"PMEM_CODE_MAP_BYTES must be from 65536 to 1 GiB");

// The most memory that they take: places, names, and the map's ranges.
#define JIT_NAME_BYTES_MAX                                                                 \
	(TABLE_GROWING_MAX((uint64_t)PMEM_CODE * (48 + 32)) + JIT_RANGE_BYTES_MAX)

struct jit_name {
	const char *text; // made harmless for the log
	uint32_t length;
	uint32_t offset; // of the place from the beginning of the code
};

// Notes the frames of sources that are new, and reads what the map says by now: so much as one
// snapshot may, all of it for the last. Whether names have come for places that stacks may have
// been told without.
bool jit_name_look(bool is_last);

// False: the place has no name, or none yet.
bool jit_name_get(uintptr_t pc, struct jit_name *name);

// Whether what is known of its name is all that there will be, but that it may move.
bool jit_name_is_settled(uintptr_t pc);

// Tells of places that moved since they were named. Whether there was any.
bool jit_name_write_moved(struct text *text);

// An upper bound of what that takes.
size_t jit_name_moved_bytes(void);

// What was told of them is lost.
void jit_name_forget_moved(void);

// In a fork's child: what is known stays, its map is another.
void jit_name_fork(void);

#endif
