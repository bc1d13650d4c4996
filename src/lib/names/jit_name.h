// SPDX-License-Identifier: BSD-2-Clause
// jit_name: names for code that lies in no file, since it was made at run time, by the map of its
// maker (jit_map.h).
//
// Who may call: the one thread that writes a snapshot. Never allocates but by growing its tables.
//
// Code comes and goes, and other code comes to lie where it lay. A place in it, the frame of a
// source, has the name of the last piece told before the source was first seen. When the map tells
// of another function there, the name is taken back for good; so it is if the map tells of two
// between the snapshot before and the one that sees the source.

#ifndef PMEM_JIT_NAME_H
#define PMEM_JIT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"

struct symbol;
struct text;

_Static_assert(PMEM_CODE >= 1024 && PMEM_CODE <= 1 << 24,
	"PMEM_CODE must be from 1024 to 16777216 pieces of code");
_Static_assert(PMEM_CODE_MAP_BYTES >= 65536 && PMEM_CODE_MAP_BYTES <= 1 << 30,
	"PMEM_CODE_MAP_BYTES must be from 65536 to 1 GiB");

// The most memory that they take: places, names, and the map's pieces.
#define JIT_NAME_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_CODE * (48 + 32 + 24))

// Enters the frames of new sources, and reads what the map says by now. Returns whether places of
// earlier looks have got names, without which the log may have their stacks.
bool jit_name_look(bool is_last);

// False: the place has no name, or none yet.
bool jit_name_get(uintptr_t pc, struct symbol *symbol);

// Tells of places whose name was taken back. Returns whether there was any.
bool jit_name_write_moved(struct text *text);

// An upper bound of what that takes.
size_t jit_name_moved_bytes(void);

// What was told of them is lost.
void jit_name_forget_moved(void);

// In a fork's child: what is known stays, its map is another.
void jit_name_fork(void);

#endif
