// SPDX-License-Identifier: BSD-2-Clause
// label: names that a program gives, to moments and to what a thread does: a request's kind, a
// tenant.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates, never blocks.
// There are LABELS - 1 numbers for the whole life of the process; whoever comes later has none.

#ifndef PMEM_LABEL_H
#define PMEM_LABEL_H

#include <stdbool.h>
#include <stdint.h>

#include "format.h"
#include "base/hash.h"

enum { LABELS = 256 }; // numbers, with 0: none

// Copies it, since another thread may be writing to it. False: it is NULL, empty, too long, no
// UTF-8, or has a control character.
bool label_copy(char label[FORMAT_LABEL_BYTES + 1], const char *from);

// The number of a label that label_copy() gave, the same each time. 0: there are no more.
uint32_t label_number(const char *label);

// One more than the highest number.
uint32_t label_count(void);

// Of a number that was given out; NULL: its name is not there yet.
const char *label_name(uint32_t number);

// What the hash of a stack is stepped by; 0 for none.
uint64_t label_salt(uint32_t number);

// The hash of a stack under a label, of that without, and the other way round.
static inline uint64_t
label_mix(uint32_t number, uint64_t hash)
{
	return hash_step(hash_unstep(hash) ^ label_salt(number), 0);
}

#endif
