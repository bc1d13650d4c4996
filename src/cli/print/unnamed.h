// SPDX-License-Identifier: BSD-2-Clause
// unnamed: describes code made at run time that has no name although it could, and how to name it.

#ifndef PMEM_CLI_UNNAMED_H
#define PMEM_CLI_UNNAMED_H

#include <stdbool.h>

#include "log/run.h"

enum { UNNAMED_TEXT = 256 };

// Returns false if there is no such code.
bool unnamed_words(char words[UNNAMED_TEXT], const struct run *run);

#endif
