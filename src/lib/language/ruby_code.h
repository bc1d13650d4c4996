// SPDX-License-Identifier: BSD-2-Clause
// ruby_code: decodes YJIT's machine code for x86-64, from where it saves a place in Ruby's frame to
// the next call.
//
// Who may call: any thread. Reads only the bytes that it is given.

#ifndef PMEM_RUBY_CODE_H
#define PMEM_RUBY_CODE_H

#include <stdint.h>

// Upper bound of the bytes from the instructions that save a place to the end of the call.
enum { RUBY_CODE_BYTES = 384 };

struct ruby_code {
	uintptr_t saved; // the place that was saved; 0 if none was, or not surely for this call
	uintptr_t called; // the target of the call that ends here; 0 if not known
	unsigned calls; // number of calls after the save, with the one that ends here
};

// Decodes the instructions from the last save in these bytes to their end, which is the end of a
// call.
struct ruby_code ruby_code_read(const uint8_t *bytes, const uint8_t *end);

#endif
