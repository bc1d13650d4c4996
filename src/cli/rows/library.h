// SPDX-License-Identifier: BSD-2-Clause
// library: says whether a frame's code belongs to a library. Libraries are the allocator and its
// hooks, the C library, the loader, and a language's own run-time code. The C++ library is one,
// also in code of the program: operator new, std::, __gnu_cxx::. Rust's own crates are, too:
// alloc::, core::, std::, hashbrown::. A frame is recognized by its module's name or its function's
// name. Templates of the C++ library lie in the program, and are recognized by their header's path.
// A program's own xmalloc() is not in a library. For lines of Ruby and Python, libraries are the
// standard library and packages (script_line.h). The same holds for functions of a perf map. A pure
// function of its argument.

#ifndef PMEM_CLI_LIBRARY_H
#define PMEM_CLI_LIBRARY_H

#include "rows/resolved_frame.h"
#include "rows/script_line.h"

bool library_has(const struct resolved_frame *resolved);

// Returns the owner of code made at run time, by its name in a perf map.
enum script_line_owner library_owner_of_code(const char *name);

// Returns true for a legacy name of Rust that is not demangled. It is mangled like C++, with a hash
// as its last part, as in 17h0123456789abcdefE.
bool library_is_rust(const char *name);

#endif
