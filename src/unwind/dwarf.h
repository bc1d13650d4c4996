// SPDX-License-Identifier: BSD-2-Clause
// dwarf: reads the numbers that DWARF is made of.
//
// Who may call: anyone, at any moment, for bytes that can be read. Never allocates, never blocks,
// no state. A read past the end sets `at` to NULL. From then on each read returns 0.

#ifndef PMEM_DWARF_H
#define PMEM_DWARF_H

#include <stddef.h>
#include <stdint.h>

struct dwarf_bytes {
	const uint8_t *at;
	const uint8_t *end;
};

// Read an unsigned or a signed LEB128 number (DWARF 5, section 7.6). Bits beyond 64 are dropped.
uint64_t dwarf_uleb(struct dwarf_bytes *bytes);
int64_t dwarf_sleb(struct dwarf_bytes *bytes);

// Reads an unsigned number of 1, 2, 4 or 8 bytes, in this machine's order.
uint64_t dwarf_fixed(struct dwarf_bytes *bytes, size_t size);

#endif
