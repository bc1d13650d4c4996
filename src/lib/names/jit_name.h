// SPDX-License-Identifier: BSD-2-Clause
// jit_name: names of places in code that was made at run time: of frames that lie in no file.
//
// One rule: a place is named by the last piece of code told there before its source was first seen
// by a snapshot. The name is taken back when another function is told there. Where two are told
// between two snapshots the source may have come from either: the place has no name.
//
// Who may call: the one thread that writes a snapshot. Never allocates but by growing its tables.
// A copy of the process may be made at any moment: the names in it are right.

#ifndef PMEM_JIT_NAME_H
#define PMEM_JIT_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"

struct symbol;
struct text;

_Static_assert(PMEM_CODE >= 1024 && PMEM_CODE <= 1 << 24,
	"PMEM_CODE must be from 1024 to 16777216 pieces of code");
_Static_assert(PMEM_CODE_MAP_BYTES >= 65536 && PMEM_CODE_MAP_BYTES <= 1 << 30,
	"PMEM_CODE_MAP_BYTES must be from 65536 to 1 GiB");

// The most memory that they take: pieces, places and their order, and text among symbol.h's.
#define JIT_NAME_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_CODE * (24 + 40 + 4 + 32))

// Notes the places of new sources, and reads what was told: as much as one snapshot may, more for
// the last. Returns whether a place that the log may know without a name has one now.
bool jit_name_look(bool is_last);

// False: the place has no name, or none yet.
bool jit_name_get(uintptr_t pc, struct symbol *symbol);

// Writes the places whose names were taken back. Returns whether there was any.
bool jit_name_write_moved(struct text *text);

// An upper bound of what that takes.
size_t jit_name_moved_bytes(void);

// The log lost what it was told of them.
void jit_name_forget_moved(void);

#endif
