// SPDX-License-Identifier: BSD-2-Clause
// disambiguate: texts of rows that stand together, and must not read the same.

#ifndef PMEM_CLI_DISAMBIGUATE_H
#define PMEM_CLI_DISAMBIGUATE_H

#include <stddef.h>

#include "rows/row.h"

// The text of each row (row_text.h), with the first frame in which it differs from those that would
// else read as it does. Sources whose stacks have the same addresses do. To be freed, and so are all
// together.
char **disambiguate_rows(const struct row *rows, size_t count);

#endif
