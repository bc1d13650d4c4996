// SPDX-License-Identifier: BSD-2-Clause
// lines: the line about each source.

#ifndef PMEM_CLI_LINES_H
#define PMEM_CLI_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "rows/row.h"

// Of each row its line; NULL: it is none of the largest, by what each had at most. To be freed, and
// so are all together.
char **lines_of_sources(const struct row *rows, const uint64_t *most, size_t count);

#endif
