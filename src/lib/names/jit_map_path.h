// SPDX-License-Identifier: BSD-2-Clause
// jit_map_path: under which names whatever makes code at run time leaves the file that tells of it.
//
// Who may call: the one thread that writes a snapshot. Never allocates.
//
// Perf has to find a jitdump wherever it lies: so its maker maps the file's first page as if it
// were code. LLVM and perf's agent for Java put theirs below ~/.debug/jit.

#ifndef PMEM_JIT_MAP_PATH_H
#define PMEM_JIT_MAP_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct text;

// In the order in which they are looked for.
enum jit_map_kind {
	JIT_MAP_PERF,
	JIT_MAP_DUMP_IN_TMP,
	JIT_MAP_DUMP_HERE,
	JIT_MAP_DUMP_MAPPED, // once it was found
	JIT_MAP_KINDS,
};

enum { JIT_MAP_PATH_MAX = 256 }; // bytes of a path, with the zero behind it

// Writes the path; nothing where it is not known.
void jit_map_path_write(struct text *text, enum jit_map_kind name, pid_t pid);

// Looks through lines of /proc/PID/maps. How many bytes they have; 0: none is whole. *found: one
// has the process's dump.
size_t jit_map_path_take_mapped(const char *bytes, size_t length, pid_t pid, bool *found);

// In a fork's child, which has another.
void jit_map_path_forget_mapped(void);

#endif
