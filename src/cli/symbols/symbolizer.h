// SPDX-License-Identifier: BSD-2-Clause
// symbolizer: gets functions, files and lines from DWARF. It runs llvm-symbolizer, addr2line or
// eu-addr2line: the first that is installed and works. The fastest comes first.
//
// Each call runs one process. Its output must be whole: the requested addresses in their order,
// each with its calls. A tool that fails is reported once, and the next one is asked. Without
// another tool the caller uses its symbol table.

#ifndef PMEM_CLI_SYMBOLIZER_H
#define PMEM_CLI_SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elffile.h"

// One function at an address of a program.
struct inline_call {
	const char *function; // demangled; "" if not known, "(inlined)" if not known and not the last
	const char *file;     // "" if not known
	unsigned line;        // 0 if not known
};

// The innermost inlined function, then what it is inlined into. The last one is the function that
// the code is in. There is at least one.
struct symbolized {
	struct inline_call *calls;
	unsigned count;
};

struct symbolizer_file {
	const char *path;             // absolute
	bool is_shared;               // not every tool follows shared DWARF (elffile_shares_dwarf())
	const struct elfsym *symbols; // may be NULL
};

// Asks for all addresses of an ELF file. answers[i].count is 0 if the tool knows nothing of the
// address. Functions have the linker's names, not demangled. For an address's outermost function
// the symbol table is better. Returns false if no tool works.
bool symbolizer_ask(const struct symbolizer_file *file, const uint64_t *addresses, size_t count,
	struct symbolized *answers);

// demangle: turns the linker's names of C++ and Rust functions into those of the source code.
//
// C++ and Rust's newer names go through c++filt (binutils) or llvm-cxxfilt, with one process for
// all names of a call. Without either, C++ names go through libstdc++, in a process of
// demangle_self; without that they stay unchanged. We demangle Rust's older names ourselves. This
// process asks for each name only once.
//
// Replaces each name by the one to show, which lives as long as the process. Suffixes of compilers
// for parts of a function (.constprop.0, .cold) are removed, too.
void demangle(const char **names, size_t count);

// The program whose main() calls demangle_lines() if its argument is DEMANGLE_LINES; NULL if none.
extern const char *demangle_self;

#define DEMANGLE_LINES "--demangle"

// Demangles each line of standard input through libstdc++. Returns the exit status: it fails
// without libstdc++.
int demangle_lines(void);

#endif
