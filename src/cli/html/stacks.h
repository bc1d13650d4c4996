// SPDX-License-Identifier: BSD-2-Clause
// stacks: numbers the modules, steps and stacks, so that the page has each only once. A step is a frame as
// the page shows it. A stack is a branch of a tree.

#ifndef PMEM_CLI_STACKS_H
#define PMEM_CLI_STACKS_H

#include <stddef.h>
#include <stdio.h>

#include "rows/row.h"

struct stacks;

struct stacks *stacks_open(void);

// Adds the stack of a source's row. Returns the number of the branch in which the stack ends. Sets
// *shown to the index of the step with which the source's text begins, counted from the outermost.
size_t stacks_add(struct stacks *stacks, const struct row *row, size_t *shown);

// Returns the name of a module of the stack that ends in this branch. It is the module of the innermost
// function outside libraries and wrappers, or else of the innermost function. "" if that has no module.
const char *stacks_module(const struct stacks *stacks, size_t branch);

// Writes modules, files, languages, steps and branches as members of the page's JSON.
void stacks_write(FILE *to, const struct stacks *stacks);

#endif
