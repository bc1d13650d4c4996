// SPDX-License-Identifier: BSD-2-Clause
// script: finds which script, module or class an interpreter runs. `java` or `python3` alone tells no
// service from another.

#ifndef PMEM_CLI_SCRIPT_H
#define PMEM_CLI_SCRIPT_H

#include "log/run.h"

// Returns it as the command line has it: "/srv/job.py", "flask" after -m, or a class without its package.
// That is the first word after the program's name that names the file of some line on a stack. An
// interpreter may have none. Then it is the first word with a script's suffix, such as ".pl", or with the
// kernel's name for the process. Returns "" if there is none. The caller frees the text.
char *script_of(const struct run *run);

// Returns the interpreter that this file is, or is the library of: "perl" of "libperl.so.5.36". Returns NULL
// for any other file.
const char *script_interpreter(const char *file);

#endif
