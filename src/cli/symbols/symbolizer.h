// SPDX-License-Identifier: BSD-2-Clause
// symbolizer: gets functions, files and lines from DWARF. It runs the first of llvm-symbolizer,
// addr2line and eu-addr2line that is installed and works. The fastest is tried first.
//
// Each call of symbolizer_ask() runs one process of a tool. The tool's output must have all
// addresses in the order of the request, each with its functions. If a tool fails, that is reported
// once for the tool, and the next tool is asked. If no tool works, the caller has only the file's
// symbol table.

#ifndef PMEM_CLI_SYMBOLIZER_H
#define PMEM_CLI_SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "symbols/elffile.h"

// A function at an address. The code at the address belongs to this function, or to a function into
// which this one was inlined.
struct inline_call {
	// the linker's name of the function. demangle() replaces it by the source code's name. ""
	// if not known. "(inlined)" for an inlined function without a known name
	const char *function;
	const char *file;     // "" if not known
	unsigned line;        // 0 if not known
};

// The functions at an address. The innermost inlined function comes first. Each function was
// inlined into the next. The code belongs to the last function. After symbols_resolve(), `count` is
// at least 1.
struct symbolized {
	struct inline_call *calls;
	unsigned count;
};

struct symbolizer_file {
	const char *path;             // absolute
	// elffile_shares_dwarf(): true if a part of the DWARF is in a shared file, which not every tool
	// reads
	bool is_shared;
	const struct elfsym *symbols; // may be NULL
};

// Asks a tool for all these addresses of an ELF file. answers[i].count is 0 if the tool knows
// nothing about addresses[i]. Function names are the linker's, not demangled. For the last function
// at an address, the caller should prefer the name in the file's symbol table. Returns false if no
// tool works.
bool symbolizer_ask(const struct symbolizer_file *file, const uint64_t *addresses, size_t count,
	struct symbolized *answers);

// demangle: turns the linker's names of C++ and Rust functions into the source code's names.
//
// Rust's older names are demangled by our own code. C++ names and Rust's newer names go through
// c++filt (binutils) or llvm-cxxfilt. One process handles all names of a call. If neither program
// is installed, C++ names go through libstdc++, in a process of the program demangle_self. If that
// fails, too, the names stay unchanged. Each name is demangled only once.
//
// Replaces each name by the name to show, which lives as long as our process. Also removes suffixes
// that compilers add for parts and copies of a function (.cold, .constprop.0).
void demangle(const char **names, size_t count);

// The program that is run to demangle with libstdc++: our own program, started anew. NULL if
// libstdc++ is not to be used. The program's main() must call demangle_lines() if its argument is
// DEMANGLE_LINES.
extern const char *demangle_self;

#define DEMANGLE_LINES "--demangle"

// Demangles each line of standard input with libstdc++. Returns the exit status: 0, or EXIT_DATA if
// libstdc++ is not installed.
int demangle_lines(FILE *to);

#endif
