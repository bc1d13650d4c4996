// SPDX-License-Identifier: BSD-2-Clause
// labels: the counters of each label in a snapshot: the sum of all that was allocated under it.
//
// Who may call: the one thread that writes a snapshot. Never allocates.

#ifndef PMEM_LABELS_H
#define PMEM_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/counter.h"

struct text;

// Resets the counters of all labels, before all sources are looked at.
void labels_begin(void);

// Adds the counters of a source that has this label.
void labels_add(uint32_t label, const struct counter *now, const struct counter *before);

// Returns the most bytes that labels_write() writes.
size_t labels_bytes(void);

// Writes the lines of the labels that moved, or, if `all` (at the end), of all labels.
void labels_write(struct text *text, bool all);

#endif
