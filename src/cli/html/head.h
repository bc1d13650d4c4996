// SPDX-License-Identifier: BSD-2-Clause
// head: writes the page's title, what the page is about, and a line for each process.

#ifndef PMEM_CLI_HEAD_H
#define PMEM_CLI_HEAD_H

#include <stdio.h>

#include "html/collect.h"

// Returns the page's title. The caller frees it.
char *head_title(const struct collection *collection);

// Writes members of the page's JSON: the title, what the page is about, and a line for each
// process.
void head_write(FILE *to, const struct collection *collection);

#endif
