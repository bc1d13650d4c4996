// SPDX-License-Identifier: BSD-2-Clause
// unnamed: finds code made at run time that has no names though its runtime can write them, and
// says how.

#ifndef PMEM_CLI_UNNAMED_H
#define PMEM_CLI_UNNAMED_H

#include <stdbool.h>

#include "log/run.h"

enum { UNNAMED_TEXT = 256 };

// Writes the advice. Returns false if the run has no code without names, or has names already.
bool unnamed_words(char words[UNNAMED_TEXT], const struct run *run);

#endif
