// SPDX-License-Identifier: BSD-2-Clause
// language: says what language a frame's function is written in. For a line of Ruby, Python or Java
// the log says it. For other functions it follows from the file, or else from the form of the name.
// C++ without parameters, and Rust's newer names if not demangled, are recognized only by the file.
//
// A pure function of its argument.

#ifndef PMEM_CLI_LANGUAGE_H
#define PMEM_CLI_LANGUAGE_H

#include "rows/resolved_frame.h"

// Returns "C++", for example. Returns "made at run time" for names of a perf map, and "" if there
// is no name. The text lives as long as the log.
const char *language_of(const struct resolved_frame *resolved);

#endif
