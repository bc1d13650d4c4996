// SPDX-License-Identifier: BSD-2-Clause
// row_copy: copies a source's row so that it outlives the log. The copy has no counts. Its frames
// have all data that attribution_print() needs.

#ifndef PMEM_CLI_ROW_COPY_H
#define PMEM_CLI_ROW_COPY_H

#include "base/memory.h"
#include "rows/row.h"

// Does the same as row_of_source(), with all memory in the arena. The frames keep the names that
// symbols.h has found for them by now.
struct row row_copy(struct arena *arena, const struct source *source);

#endif
