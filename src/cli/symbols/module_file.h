// SPDX-License-Identifier: BSD-2-Clause
// module_file: finds the files on this machine for a module of a log: the module itself, and its
// debug file.
//
// If the log has the module's build-id, a file must have the same build-id. If the log has no
// build-id, the caller must check whether the file's function names agree with the log. Debug files
// are searched for in the debug directories and in the module's folder. They are found by build-id,
// by .gnu_debuglink with its checksum, and by path. If a module's file was not found, it is
// searched for again only if another process may have it mapped.

#ifndef PMEM_CLI_MODULE_FILE_H
#define PMEM_CLI_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "log/run.h"
#include "symbols/elffile.h"

struct debug_places {
	const char *root;              // --sysroot; "" if not given
	const char *const *debug_dirs; // --debug-dir
	size_t debug_dir_count;
};

enum file_state {
	FILE_MISSING,   // the file is not on this machine, or was not searched for yet
	FILE_FOUND,
	FILE_NO_FILE,   // the module has no file, like the vdso
	FILE_ANOTHER,   // the file's build-id differs from the log's
	FILE_BROKEN,    // the file exists, but cannot be read
};

struct module_file {
	size_t number; // 0, 1, ... in the order in which modules were first requested
	const char *path;
	const char *build_id;
	struct intern pids; // pids of the processes through which the file was already searched
	enum file_state state;
	char why[256];          // for FILE_ANOTHER and FILE_BROKEN: a message without the path
	uint64_t start;         // elffile_start()
	// path of the file that has the module's DWARF; NULL if no file has it
	const char *dwarf;
	bool dwarf_is_shared;   // elffile_shares_dwarf()
	struct elfsym *symbols; // NULL if not found
	// The following fields are for symbols.c. They are the frames to look up, and the result for
	// each address, so that no address is looked up twice.
	struct intern addresses;
	struct cached **cached; // cached[n] is the result for address number n
	size_t cached_room;
	struct frame **frames;
	size_t frame_count, frame_room;
	bool is_checked;
	bool is_refused; // true if the file's functions contradict the log: then the file is not used
};

// Returns the file of a log's module. Modules with the same path and build-id have one file. The
// result lives as long as our process.
struct module_file *module_file(const struct debug_places *places, const struct module *module);

// Returns the next file after `last`, in the order in which modules were first requested. If `last`
// is NULL, returns the first file. After the last file, returns NULL.
struct module_file *module_file_next(const struct module_file *last);

// living: opens a module's file through a running process that has it mapped. The file at the path
// may have been replaced or removed since the process started, for example by an upgrade. Or the
// path may be valid only in the process's own root, as in a container.
//
// The processes that the command line names by pid are tried first, then the process `pid`. Another
// process may have got this pid. That does no harm, because the file must have the module's
// build-id.

// Opens the module's file with this path and build-id. Returns NULL if no tried process has the
// file, or if we may not look at these processes.
struct elffile *living_open(long pid, const char *path, const char *build_id);

#endif
