// SPDX-License-Identifier: BSD-2-Clause
// ruby_code: reads the machine code of x86-64 that YJIT makes, as far as from where it saves a place to
// the call behind that.
//
// Who may call: any thread. Reads the bytes that it is given, and nothing else.

#ifndef PMEM_RUBY_CODE_H
#define PMEM_RUBY_CODE_H

#include <stdint.h>

// From where it saves a place to the end of a call, at most.
enum { RUBY_CODE_BYTES = 384 };

struct ruby_code {
	uintptr_t saved; // the place; 0: none is saved, or not surely for this call
	uintptr_t called; // by the call that ends here; 0: not known
	unsigned calls; // from there to here, with that
};

// What leads to the end of these bytes, in which a call ends.
struct ruby_code ruby_code_read(const uint8_t *bytes, const uint8_t *end);

#endif
