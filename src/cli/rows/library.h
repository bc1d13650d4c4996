// SPDX-License-Identifier: BSD-2-Clause
// library: whether a frame of a stack is in code that is nobody's own: the allocator and its
// hooks, what a language brings along in code made at run time, the C library and the loader, the
// C++ library (in code of the program as well: operator new, std::, __gnu_cxx::), Rust's own
// (alloc::, core::, std::, hashbrown::). By the module's name, by the function's, or by the C++
// library's header that it was made from: templates lie in the program. A program's own xmalloc()
// is its own function. Of lines of Ruby and Python, and of functions that a perf map names, those
// of the standard library and of packages (script_line.h). A pure function of its argument.

#ifndef PMEM_CLI_LIBRARY_H
#define PMEM_CLI_LIBRARY_H

#include "rows/resolved_frame.h"
#include "rows/script_line.h"

bool library_has(const struct resolved_frame *resolved);

// Whose code made at run time is, by its name in a perf map.
enum script_line_owner library_owner_of_code(const char *name);

// A legacy name of Rust that is not demangled: C++'s, with a hash for its last part, as in
// 17h0123456789abcdefE.
bool library_is_rust(const char *name);

#endif
