// where: the step of a stack that is worth looking at: the program's own function, and not the
// wrappers of libraries between it and the allocator.

#ifndef PMEM_CLI_WHERE_H
#define PMEM_CLI_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rows/step.h"

// The innermost step that is in none of these: the allocator and its hooks, the C library and
// the loader, the C++ library (in code of the program as well: operator new, std::,
// __gnu_cxx::), Rust's own (alloc::, core::, std::, hashbrown::). A program's own xmalloc() is
// its own function. Where all are in these, the innermost that is no hook; else the hook.
// *index, unless NULL: its place in steps. `count` is at least 1.
const struct step *where_step(const struct step *steps, size_t count, size_t *index);

// Whether the step is in one of these.
bool where_is_library(const struct step *step);

// The same in words: with file and line or, where it is in another module than the program,
// that one; through which function of a library; then those of its callers that are the
// program's: "take util.c:7 via strdup < parse x3 < main".
void where_print(FILE *to, const struct step *steps, size_t count);

#endif
