// SPDX-License-Identifier: BSD-2-Clause
// mapname: under which names whatever makes code at run time leaves the file that tells of it.
//
// Who may call: the one thread that writes a snapshot. Never allocates.
//
// Perf has to find a jitdump wherever it lies: so its maker maps the file's first page as if it
// were code. LLVM and perf's agent for Java put theirs below ~/.debug/jit.

#ifndef PMEM_MAPNAME_H
#define PMEM_MAPNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct text;

// In the order in which they are looked for.
enum mapname {
	MAPNAME_MAP,
	MAPNAME_DUMP_IN_TMP,
	MAPNAME_DUMP_HERE,
	MAPNAME_DUMP_MAPPED, // once it was found
	MAPNAMES,
};

enum { MAPNAME_MAX = 256 }; // bytes of a path, with the zero behind it

// Writes the path; nothing where it is not known.
void mapname_write(struct text *text, enum mapname name, pid_t pid);

// Looks through lines of /proc/PID/maps. How many bytes they have; 0: none is whole. *found: one
// has the process's dump.
size_t mapname_take_mapped(const char *bytes, size_t length, pid_t pid, bool *found);

// In a fork's child, which has another.
void mapname_forget_mapped(void);

#endif
