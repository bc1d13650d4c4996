// SPDX-License-Identifier: BSD-2-Clause
// module_file: finds the files on this machine for a module of a log: the module itself, its debug
// file, or both.
//
// If the log has a build-id, a file must have the same one. Otherwise the caller must compare
// names. The debug file is searched by build-id, by .gnu_debuglink (with the checksum), and by
// path. The places are the debug directories and the module's folder. Each module is searched once.

#ifndef PMEM_CLI_MODULE_FILE_H
#define PMEM_CLI_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "log/run.h"
#include "symbols/elffile.h"

struct debug_places {
	const char *root;              // --sysroot; "" if none
	const char *const *debug_dirs; // --debug-dir
	size_t debug_dir_count;
};

enum file_state {
	FILE_MISSING,   // not on this machine, or not searched yet
	FILE_FOUND,
	FILE_NO_FILE,   // the vdso and the like have none
	FILE_ANOTHER,   // its build-id differs from the log's
	FILE_BROKEN,    // it exists, but cannot be read
};

struct module_file {
	size_t number; // from 0, in the order of requests
	const char *path;
	const char *build_id;
	struct intern pids; // the pids asked so far, of processes that may have it
	enum file_state state;
	char why[256];          // FILE_ANOTHER, FILE_BROKEN: a message without the path
	uint64_t start;         // elffile_start()
	const char *dwarf;      // the file with DWARF; NULL if none
	bool dwarf_is_shared;   // elffile_shares_dwarf()
	struct elfsym *symbols; // NULL if none
	// The following are for symbols.c: results by address, so that no address is looked up twice,
	// and the frames to look up.
	struct intern addresses;
	struct cached **cached; // by the addresses' numbers
	size_t cached_room;
	struct frame **frames;
	size_t frame_count, frame_room;
	bool is_checked;
	bool is_refused; // true if it contradicts the log
};

// Returns the module's file, by its path in the log and its build-id. It lives as long as the
// process.
struct module_file *module_file(const struct debug_places *places, const struct module *module);

// Returns the next requested file after `last`, or the first for NULL. Returns NULL after the last
// one.
struct module_file *module_file_next(const struct module_file *last);

// living: opens files as a running process has them. The process's files may have been replaced or
// removed since, as by an upgrade. They may be below its own root directory, as in a container.
//
// It looks at the processes that the command line names by pid, and at the process `pid`. A file
// must have the build-id, so another process with that pid does no harm.

// Opens the module with this path, as in the log, and this build-id. Returns NULL if no process
// that we may look at has it.
struct elffile *living_open(long pid, const char *path, const char *build_id);

#endif
