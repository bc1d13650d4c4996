// SPDX-License-Identifier: BSD-2-Clause
// page: writes the whole HTML file, with its data, script and style. The page loads no other file.

#ifndef PMEM_CLI_PAGE_H
#define PMEM_CLI_PAGE_H

#include "html/collect.h"

// With `follows`, the page checks whether there is a newer version of itself.
void page_write(FILE *to, const struct collection *collection, bool follows);

#endif
