// SPDX-License-Identifier: BSD-2-Clause
// unnamed: finds run-time code without names, and says how its runtime can be made to write them.

#ifndef PMEM_CLI_UNNAMED_H
#define PMEM_CLI_UNNAMED_H

#include <stdbool.h>

#include "log/run.h"

enum { UNNAMED_TEXT = 256 };

// Writes the advice. Returns false if all code has names, or if some run-time code has names: then
// the runtime writes them already.
bool unnamed_words(char words[UNNAMED_TEXT], const struct run *run);

#endif
