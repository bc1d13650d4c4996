// SPDX-License-Identifier: BSD-2-Clause
// labels: what each label has, as a snapshot tells: the sum of all that was allocated under it.
//
// Who may call: the one thread that writes a snapshot. Never allocates.

#ifndef PMEM_LABELS_H
#define PMEM_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/counter.h"

struct text;

// Before all sources are looked at: no label has anything.
void labels_begin(void);

// A source is one of this label, and has that.
void labels_add(uint32_t label, const struct counter *now, const struct counter *before);

// At most so many bytes will be written.
size_t labels_bytes(void);

// The lines of those that moved; at the end (`all`) of all.
void labels_write(struct text *text, bool all);

#endif
