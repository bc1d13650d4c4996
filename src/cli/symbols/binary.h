// binary: the files on this machine that tell of a module of a log: the module itself, or its
// debug file, or both.
//
// A file counts only when its build-id is the log's, if the log has one; if not, the caller
// must compare names. Its debug file is looked for by build-id, by .gnu_debuglink (with the
// checksum), and by its path; below the debug directories, and beside it. Each module is looked
// for once.

#ifndef PMEM_CLI_BINARY_H
#define PMEM_CLI_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elffile.h"

struct binary_places {
	const char *root;              // --sysroot; "": none
	const char *const *debug_dirs; // --debug-dir
	size_t debug_dir_count;
};

enum binary_state {
	BINARY_FOUND,
	BINARY_MISSING,   // not on this machine
	BINARY_NO_FILE,   // the vdso and the like
	BINARY_ANOTHER,   // its build-id is not the log's
	BINARY_BROKEN,    // it is there, but cannot be read
};

struct binary {
	unsigned number; // from 0, in the order in which they were asked for
	const char *path;
	const char *build_id;
	enum binary_state state;
	char why[256];          // BINARY_ANOTHER, BINARY_BROKEN: a message without the path
	uint64_t start;         // elffile_start()
	const char *dwarf;      // the file that has DWARF; NULL: none
	bool dwarf_is_shared;   // elffile_shares_dwarf()
	struct elfsym *symbols; // NULL: none
	void *answers;          // of answers.c
};

// The module's, by its path in the log and its build-id: lower-case hexadecimal, "": the log
// has none. It lives as long as the process.
struct binary *binary_get(const struct binary_places *places, const char *path,
	const char *build_id);

#endif
