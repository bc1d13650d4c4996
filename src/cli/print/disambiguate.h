// SPDX-License-Identifier: BSD-2-Clause
// disambiguate: makes texts of rows that stand together, such that no two read the same.

#ifndef PMEM_CLI_DISAMBIGUATE_H
#define PMEM_CLI_DISAMBIGUATE_H

#include <stddef.h>

#include "rows/row.h"

// Returns the text of each row (row_text.h). Rows that would read the same get the first frame in
// which they differ. Sources whose stacks have the same addresses still read the same. The caller
// frees each text and the array.
char **disambiguate_rows(const struct row *rows, size_t count);

#endif
