// SPDX-License-Identifier: BSD-2-Clause
// library: says whether a frame's code belongs to a library. These count as libraries: the
// allocator and its hooks, the C library, the loader, and a language's own run-time code. So do the
// C++ library (operator new, std::, __gnu_cxx::) and Rust's own crates (alloc::, core::, std::,
// hashbrown::).
//
// A frame is recognized by its module's name or its function's name. The C++ library's templates
// are compiled into the program's module, so they are also recognized by their header's path. A
// program's own xmalloc() is not in a library. A script line is in a library unless its owner is
// the program (script_line.h). Functions that a perf map names follow the same rule.
//
// A pure function of its argument.

#ifndef PMEM_CLI_LIBRARY_H
#define PMEM_CLI_LIBRARY_H

#include "rows/resolved_frame.h"
#include "rows/script_line.h"

bool library_has(const struct resolved_frame *resolved);

// Returns true for a function of C++'s or Rust's library, in whatever module its code is. Also returns true
// for one that starts a program. The hook is none.
bool library_is_inside(const struct resolved_frame *resolved);

// Returns the owner of the function that a perf map calls `name`.
enum script_line_owner library_owner_of_code(const char *name);

// Returns true for a mangled name in Rust's legacy scheme. Such a name is mangled like C++, with a
// hash as its last part, as in 17h0123456789abcdefE.
bool library_is_rust(const char *name);

#endif
