// SPDX-License-Identifier: BSD-2-Clause
// row_copy: copies a row so that it outlives the log. The copy's frames
// have all data that attribution_print() needs.

#ifndef PMEM_CLI_ROW_COPY_H
#define PMEM_CLI_ROW_COPY_H

#include "base/memory.h"
#include "rows/row.h"

// Returns the same row, with all memory in the arena. The frames keep the names that
// symbols.h has found for them by now.
struct row row_copy(struct arena *arena, const struct row *of);

#endif
