// SPDX-License-Identifier: BSD-2-Clause
// lines: makes the line about each source.

#ifndef PMEM_CLI_LINES_H
#define PMEM_CLI_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "rows/row.h"

// Returns a line for each row; NULL if the row is not among the largest, by the most that each had.
// The caller frees each line and the array.
char **lines_of_sources(const struct row *rows, const uint64_t *most, size_t count);

#endif
