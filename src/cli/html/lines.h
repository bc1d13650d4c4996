// SPDX-License-Identifier: BSD-2-Clause
// lines: makes the text of each source (rows/attribution.h) for the page.

#ifndef PMEM_CLI_LINES_H
#define PMEM_CLI_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "rows/row.h"

// Returns a text for each of the largest rows, and NULL for the other rows. most[i] is the most
// live bytes that rows[i] ever had. The caller frees each text and the array.
char **lines_of_sources(const struct row *rows, const uint64_t *most, size_t count);

#endif
