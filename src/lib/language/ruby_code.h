// SPDX-License-Identifier: BSD-2-Clause
// ruby_code: decodes x86-64 machine code that YJIT, Ruby's compiler, has made. Before some calls
// such code saves its place in Ruby's frame. A place is the address of an instruction in Ruby's own
// code. The code is decoded from such a save to a later call.
//
// Who may call: any thread. Reads only the bytes that it is given.

#ifndef PMEM_RUBY_CODE_H
#define PMEM_RUBY_CODE_H

#include <stdint.h>

// Upper bound of the bytes from the instructions that save a place up to the end of the call.
enum { RUBY_CODE_BYTES = 384 };

struct ruby_code {
	uintptr_t saved; // the place; 0 if none was saved, or not surely for this call
	uintptr_t called; // the target of the call that ends here; 0 if not known
	unsigned calls; // number of calls after the save, including the one that ends here
};

// Decodes the instructions from the last save of a place in these bytes up to `end`. A call must
// end there.
struct ruby_code ruby_code_read(const uint8_t *bytes, const uint8_t *end);

#endif
