// SPDX-License-Identifier: BSD-2-Clause
// kept: a source that stays when its log is closed, as a row without counts: its frames with all that
// words are made of (where.h), copied.

#ifndef PMEM_CLI_KEPT_H
#define PMEM_CLI_KEPT_H

#include "base/memory.h"
#include "rows/row.h"

// As row_of_source(), for as long as the arena. What names its frames have by now (symbols.h) they
// keep.
struct row kept_row(struct arena *arena, const struct source *source);

#endif
