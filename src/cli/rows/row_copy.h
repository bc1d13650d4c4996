// SPDX-License-Identifier: BSD-2-Clause
// row_copy: a source's row, copied so that it stays when the log is closed: without counts, but its
// frames with all that words are made of (attribution.h).

#ifndef PMEM_CLI_ROW_COPY_H
#define PMEM_CLI_ROW_COPY_H

#include "base/memory.h"
#include "rows/row.h"

// As row_of_source(), for as long as the arena. Frames keep the names that they have by now
// (symbols.h).
struct row row_copy(struct arena *arena, const struct source *source);

#endif
