// SPDX-License-Identifier: BSD-2-Clause
// head: writes the page's title, and what the page or one of its processes is about.

#ifndef PMEM_CLI_HEAD_H
#define PMEM_CLI_HEAD_H

#include <stdio.h>

#include "html/collect.h"

// Returns the page's title. The caller frees it.
char *head_title(const struct collection *collection);

// Writes members of the page's JSON: the title, and what the page is about. head_write_run() writes the
// same of one process.
void head_write(FILE *to, const struct collection *collection);
void head_write_run(FILE *to, const struct collection *collection, size_t run);

#endif
