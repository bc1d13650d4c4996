// SPDX-License-Identifier: BSD-2-Clause
// objects: finds memory that a runtime manages for a program's objects, where no stack has the
// program's own code. Says which tool of the runtime tells what the memory holds.

#ifndef PMEM_CLI_OBJECTS_H
#define PMEM_CLI_OBJECTS_H

#include "log/run.h"

// Returns the sentences, or NULL if such memory is less than half of what the run holds.
const char *objects_words(const struct run *run);

#endif
