// SPDX-License-Identifier: BSD-2-Clause
// module_file: the files on this machine that tell of a module of a log: the module itself, or
// its debug file, or both.
//
// A file counts only when its build-id is the log's, if the log has one; if not, the caller
// must compare names. Its debug file is looked for by build-id, by .gnu_debuglink (with the
// checksum), and by its path; below the debug directories, and beside it. Each module is looked
// for once.

#ifndef PMEM_CLI_MODULE_FILE_H
#define PMEM_CLI_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "log/run.h"
#include "symbols/elffile.h"

struct debug_places {
	const char *root;              // --sysroot; "": none
	const char *const *debug_dirs; // --debug-dir
	size_t debug_dir_count;
};

enum file_state {
	FILE_MISSING,   // not on this machine, or not looked for yet
	FILE_FOUND,
	FILE_NO_FILE,   // the vdso and the like
	FILE_ANOTHER,   // its build-id is not the log's
	FILE_BROKEN,    // it is there, but cannot be read
};

struct module_file {
	size_t number; // from 0, in the order in which they were asked for
	const char *path;
	const char *build_id;
	struct intern pids; // of processes that may have it, which were asked
	enum file_state state;
	char why[256];          // FILE_ANOTHER, FILE_BROKEN: a message without the path
	uint64_t start;         // elffile_start()
	const char *dwarf;      // the file that has DWARF; NULL: none
	bool dwarf_is_shared;   // elffile_shares_dwarf()
	struct elfsym *symbols; // NULL: none
	// The following are for symbols.c: what is known of the addresses in it, so that none is
	// asked for twice; and frames that are to be looked up.
	struct intern addresses;
	struct cached **cached; // by their numbers
	size_t cached_room;
	struct frame **frames;
	size_t frame_count, frame_room;
	bool is_checked;
	bool is_refused; // it does not agree with the log
};

// The module's, by its path in the log and its build-id. It lives as long as the process.
struct module_file *module_file(const struct debug_places *places, const struct module *module);

// All that were asked for, one after the other, from NULL on; NULL: that was the last.
struct module_file *module_file_next(const struct module_file *last);

// living: files as a process that runs has them. What it was started with may have been replaced or
// removed since, as by an upgrade, or be below a root directory of its own, as in a container.
//
// Looked at are the processes that the command line named by their pids, and the one of the pid given.
// A file counts only by its build-id, so that another process of that pid does no harm.

// The module of that path, as the log has it, and build-id. NULL: no process that we may look at has
// it.
struct elffile *living_open(long pid, const char *path, const char *build_id);

#endif
