// SPDX-License-Identifier: BSD-2-Clause
// ruby_code: reads YJIT's machine code for x86-64, from where it saves a place to the call after
// that.
//
// Who may call: any thread. Reads only the bytes that it is given.

#ifndef PMEM_RUBY_CODE_H
#define PMEM_RUBY_CODE_H

#include <stdint.h>

// The most bytes from where it saves a place to the end of a call.
enum { RUBY_CODE_BYTES = 384 };

struct ruby_code {
	uintptr_t saved; // the place; 0 if none is saved, or not surely for this call
	uintptr_t called; // the target of the call that ends here; 0 if not known
	unsigned calls; // number of calls from the save on, with this one
};

// Reads what leads to the end of these bytes, which is the end of a call.
struct ruby_code ruby_code_read(const uint8_t *bytes, const uint8_t *end);

#endif
