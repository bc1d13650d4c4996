// SPDX-License-Identifier: BSD-2-Clause
// jit_name: names of places in code made at run time. A place is a return address that lies in no
// file. The program that makes the code records each piece of code in a file (jit_map.h).
//
// One rule: when a snapshot first sees a place's source, the place gets a name. This is the name of
// the last piece of code that was recorded at the place. The name is withdrawn when another
// function's code is recorded at the place. If two functions' code is recorded at the place between
// two snapshots, either function may have made the source's calls. The place then gets no name.
//
// Who may call: the one thread that writes a snapshot. Allocates only by growing its tables. The
// process may fork at any moment: the child then has right names, too.

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

// Upper bound of the memory: pieces, places and their order, and text in symbol.h's table.
#define JIT_NAME_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_CODE * (24 + 40 + 4 + 32))

// Notes the places of new sources. Reads new records, up to the limit for one snapshot; the last
// snapshot may read more. Returns true if an older place got a name: the log may have that place
// without its name.
bool jit_name_look(bool is_last);

// Returns false if the place at pc has no name (yet).
bool jit_name_get(uintptr_t pc, struct symbol *symbol);

// Writes the places whose names were withdrawn. Returns true if there were any.
bool jit_name_write_moved(struct text *text);

// Returns an upper bound of the bytes that jit_name_write_moved() writes.
size_t jit_name_moved_bytes(void);

// Called when what jit_name_write_moved() wrote did not get into the log. The next
// jit_name_write_moved() then writes it again.
void jit_name_forget_moved(void);

#endif
