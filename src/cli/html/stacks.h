// SPDX-License-Identifier: BSD-2-Clause
// stacks: what stands on stacks, each once: modules, steps, and stacks as the branches of a tree.

#ifndef PMEM_CLI_STACKS_H
#define PMEM_CLI_STACKS_H

#include <stddef.h>
#include <stdio.h>

#include "rows/row.h"

struct stacks;

struct stacks *stacks_open(void);

// Of a source's row: the number of the branch that its stack ends in.
size_t stacks_add(struct stacks *stacks, const struct row *row);

// Writes them as members of the page's JSON.
void stacks_write(FILE *to, const struct stacks *stacks);

#endif
