// SPDX-License-Identifier: BSD-2-Clause
// label: numbers the labels. A label is a name that a program gives to a moment or to a thread's
// work. Examples are a request's kind and a tenant.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates, never blocks.
// A process has LABELS - 1 numbers. When they are used up, a new label gets no number.

#ifndef PMEM_LABEL_H
#define PMEM_LABEL_H

#include <stdbool.h>
#include <stdint.h>

#include "format.h"
#include "base/hash.h"

enum { LABELS = 256 }; // how many numbers there are, including 0, which means no label

// Copies a label: another thread may be writing to the original. Returns false if the label is
// NULL, empty, too long or not UTF-8, or has a control character.
bool label_copy(char label[FORMAT_LABEL_BYTES + 1], const char *from);

// Returns the label's number, the same each time, or 0 if all numbers are in use. `label` must come
// from label_copy().
uint32_t label_number(const char *label);

// Returns one more than the highest number in use.
uint32_t label_count(void);

// Returns the name of a number in use, or NULL if it is not written yet.
const char *label_name(uint32_t number);

// Returns what label_mix() mixes into a stack's hash; 0 for number 0.
uint64_t label_salt(uint32_t number);

// Converts the hash of a stack without a label to the hash under a label, and back.
static inline uint64_t
label_mix(uint32_t number, uint64_t hash)
{
	return hash_step(hash_unstep(hash) ^ label_salt(number), 0);
}

#endif
