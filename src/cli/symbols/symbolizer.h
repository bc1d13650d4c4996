// SPDX-License-Identifier: BSD-2-Clause
// symbolizer: functions, files and lines by DWARF, from the first of llvm-symbolizer,
// addr2line and eu-addr2line that is installed and works: the fastest first.
//
// One process a call. What it writes is believed only when it is whole: the addresses asked
// for, in their order, each with its calls. A tool that fails is warned about, once, and the
// next one is asked; without another the caller has its symbol table.

#ifndef PMEM_CLI_SYMBOLIZER_H
#define PMEM_CLI_SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elffile.h"

// What there is at one address of a program.
struct inline_call {
	const char *function; // demangled; "": not known; "(inlined)": not known, but not the last
	const char *file;     // "": not known
	unsigned line;        // 0: not known
};

// The function inlined innermost, then what it is inlined into; the last is the function that
// the code is in. At least one.
struct symbolized {
	struct inline_call *calls;
	unsigned count;
};

struct symbolizer_file {
	const char *path;             // absolute
	bool is_shared;               // not each tool follows that (elffile_shares_dwarf())
	const struct elfsym *symbols; // may be NULL
};

// Asks for all addresses of an ELF file. answers[i].count is 0 where it says nothing of the
// address. Functions are as the linker calls them, not demangled; for the outermost of an
// address the symbol table knows better. False: there is no tool that works.
bool symbolizer_ask(const struct symbolizer_file *file, const uint64_t *addresses, size_t count,
	struct symbolized *answers);

// The names that programmers gave to C++ and Rust functions, of those that the
// compiler gave to the linker.
//
// C++ and Rust's newer names by c++filt (binutils) or llvm-cxxfilt, one process for all names
// of a call. Without either, C++ names by libstdc++, in a process of demangle_self; without that, too,
// they stay as they are. Rust's older names by ourselves. A name is asked for once in this process.
//
// Replaces each of the names by what is to be shown, which lives as long as the process: also
// without what compilers put behind the name of a part of a function (.constprop.0, .cold).
void demangle(const char **names, size_t count);

// The program whose main() calls demangle_lines() where DEMANGLE_LINES is its argument; NULL: there
// is none.
extern const char *demangle_self;

#define DEMANGLE_LINES "--demangle"

// Each line of standard input, demangled by libstdc++. The exit status: there may be no libstdc++.
int demangle_lines(void);

#endif
