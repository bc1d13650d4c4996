// SPDX-License-Identifier: BSD-2-Clause
// disambiguate: makes the texts of a table's rows differ from each other.

#ifndef PMEM_CLI_DISAMBIGUATE_H
#define PMEM_CLI_DISAMBIGUATE_H

#include <stddef.h>

// Returns the text of each row (row_text.h). If rows would have equal texts, the first frame in
// which they differ is added to their texts. Sources whose stacks have the same addresses keep
// equal texts. `rows` is an array of structs of `size` bytes, each of which begins with its struct
// row. The caller frees each text and the array.
char **disambiguate(const void *rows, size_t size, size_t count);

#endif
