// SPDX-License-Identifier: BSD-2-Clause
// ruby_code: decodes x86-64 machine code that YJIT, Ruby's compiler, has made. The machine code
// runs a method. Before some calls it saves the method's place in Ruby's frame: the address of an
// instruction in Ruby's own code. This module decodes the machine code from a save to a later call.
//
// Who may call: any thread. Reads only the bytes that it is given.

#ifndef PMEM_RUBY_CODE_H
#define PMEM_RUBY_CODE_H

#include <stdint.h>

// Upper bound of the bytes from the instructions that save a place to the call's end.
enum { RUBY_CODE_BYTES = 384 };

struct ruby_code {
	uintptr_t saved; // the saved place; 0 if no place was surely saved for this call
	uintptr_t called; // the target of the call that ends at `end`; 0 if not known
	unsigned calls; // number of calls after the save, including the last
};

// `bytes` up to `end` are machine code, which must end in a call. Finds the last instructions in
// these bytes that save a place, and decodes from there to `end`.
struct ruby_code ruby_code_read(const uint8_t *bytes, const uint8_t *end);

#endif
