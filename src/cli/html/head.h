// SPDX-License-Identifier: BSD-2-Clause
// head: the page's title, and what its top says in words.

#ifndef PMEM_CLI_HEAD_H
#define PMEM_CLI_HEAD_H

#include <stdio.h>

#include "html/collect.h"

// What the page is called. To be freed.
char *head_title(const struct collection *collection);

// As members of the page's JSON the title, what there is to say about all, and a line for each
// process.
void head_write(FILE *to, const struct collection *collection);

#endif
