// SPDX-License-Identifier: BSD-2-Clause
// language: what a frame of a stack is written in. Of a line of Ruby, Python or Java the log says
// so; of other functions their file tells it, or else how their names look: so C++ without
// parameters, and Rust's newer names that are not demangled, are told by their files alone.
//
// A pure function of its argument.

#ifndef PMEM_CLI_LANGUAGE_H
#define PMEM_CLI_LANGUAGE_H

#include "rows/resolved_frame.h"

// "C++"; "made at run time" of what a perf map names; "": it has no name. It lives as long as the log.
const char *language_of(const struct resolved_frame *resolved);

#endif
