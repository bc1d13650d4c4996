// SPDX-License-Identifier: BSD-2-Clause
// language: says what language a frame's function is written in. For script lines (script_line.h)
// the log names the language. For other functions it is derived from the source file's name, or
// else from the form of the function's name. One form does not show the language: a C++ name
// without parameters looks like a name in C or Rust. For this form, the source file must be known.
//
// A pure function of its argument.

#ifndef PMEM_CLI_LANGUAGE_H
#define PMEM_CLI_LANGUAGE_H

#include "rows/resolved_frame.h"

// Returns the language as text, such as "C++". Returns "made at run time" for functions that a perf
// map names, and "" if the frame has no name. The text lives as long as the log.
const char *language_of(const struct resolved_frame *resolved);

#endif
