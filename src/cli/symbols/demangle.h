// demangle: the names that programmers gave to C++ and Rust functions, of those that the
// compiler gave to the linker.
//
// C++ and Rust's newer names by c++filt (binutils) or llvm-cxxfilt, one process for all names
// of a call; without either they stay as they are. Rust's older names by ourselves. A name is
// asked for once in this process.

#ifndef PMEM_CLI_DEMANGLE_H
#define PMEM_CLI_DEMANGLE_H

#include <stddef.h>

// Replaces each of the names by what is to be shown, which lives as long as the process: also
// without what compilers put behind the name of a part of a function (.constprop.0, .cold).
void demangle(const char **names, size_t count);

#endif
