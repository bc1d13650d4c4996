// SPDX-License-Identifier: BSD-2-Clause
// disambiguate: makes the texts of a table's rows differ from each other.

#ifndef PMEM_CLI_DISAMBIGUATE_H
#define PMEM_CLI_DISAMBIGUATE_H

#include <stddef.h>

#include "rows/row.h"

// Returns the text of each row (row_text.h). If rows would have equal texts, the first frame in
// which they differ is added to their texts. Sources whose stacks have the same addresses keep
// equal texts. The caller frees each text and the array.
char **disambiguate_rows(const struct row *rows, size_t count);

// Does the same for the rows of lines.
struct report_line;
char **disambiguate_lines(const struct report_line *lines, size_t count);

#endif
