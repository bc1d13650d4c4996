// SPDX-License-Identifier: BSD-2-Clause
// stacks: numbers the modules, steps (frames as the page shows them) and stacks. Each is written
// once. A stack is a branch of a tree.

#ifndef PMEM_CLI_STACKS_H
#define PMEM_CLI_STACKS_H

#include <stddef.h>
#include <stdio.h>

#include "rows/row.h"

struct stacks;

struct stacks *stacks_open(void);

// Adds the stack of a source's row. Returns the number of the branch in which the stack ends.
size_t stacks_add(struct stacks *stacks, const struct row *row);

// Writes modules, files, languages, steps and branches as members of the page's JSON.
void stacks_write(FILE *to, const struct stacks *stacks);

#endif
