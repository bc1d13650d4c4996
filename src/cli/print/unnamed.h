// SPDX-License-Identifier: BSD-2-Clause
// unnamed: code made at run time that has no name though it could, and how.

#ifndef PMEM_CLI_UNNAMED_H
#define PMEM_CLI_UNNAMED_H

#include <stdbool.h>

#include "log/run.h"

enum { UNNAMED_TEXT = 256 };

// False: there is none.
bool unnamed_words(char words[UNNAMED_TEXT], const struct run *run);

#endif
