// name: what the names of functions tell of C++ and Rust: whether the code is the language's
// own, though it lies in the program, as templates do. Pure functions of their arguments.

#ifndef PMEM_CLI_NAME_H
#define PMEM_CLI_NAME_H

#include <stdbool.h>
#include <stddef.h>

// Whether it is operator new, in C++'s std:: or __gnu_cxx::, in Rust's alloc, core, std or
// hashbrown, or what a program starts with (_start). Demangled or not, but for Rust's names of
// version 0, which must be.
bool name_is_library(const char *name);

// The name alone: without the result's type and the parameters that C++ has around it. Where it
// begins in `name`.
const char *name_alone(const char *name, size_t *length);

#endif
