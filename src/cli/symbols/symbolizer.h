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
struct call {
	const char *function; // demangled; "": not known; "(inlined)": not known, but not the last
	const char *file;     // "": not known
	unsigned line;        // 0: not known
};

// The function inlined innermost, then what it is inlined into; the last is the function that
// the code is in. At least one.
struct symbolized {
	struct call *calls;
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

// How long a tool may write nothing before it counts as hung; for tests.
extern unsigned symbolizer_patience_ms;

#endif
