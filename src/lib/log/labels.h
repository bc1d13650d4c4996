// SPDX-License-Identifier: BSD-2-Clause
// labels: sums up, for a snapshot, the counters of all sources under each label. A program sets
// labels by pmem_label().
//
// Who may call: the one thread that writes a snapshot. Never allocates.

#ifndef PMEM_LABELS_H
#define PMEM_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/counter.h"

struct text;

// Sets the counters of all labels to 0. Called before a snapshot sums up its sources.
void labels_begin(void);

// Adds the counters of a source that has this label.
void labels_add(uint32_t label, const struct counter *now, const struct counter *before);

// Returns an upper bound of the bytes that labels_write() writes.
size_t labels_bytes(void);

// Writes a line for each label whose counters changed since the last snapshot. With `all`, for the
// process's last snapshot, writes a line for each label with allocations.
void labels_write(struct text *text, bool all);

#endif
