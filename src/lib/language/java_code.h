// SPDX-License-Identifier: BSD-2-Clause
// java_code: says which of HotSpot's code is at an address: a compiled method, the interpreter, a
// stub. For a place in a compiled method, finds to which methods the place belongs, including
// inlined methods.
//
// Who may call: as in interpreter.h, for return addresses of frames on the caller's own stack.
// HotSpot does not move code that is on a thread's stack.

#ifndef PMEM_JAVA_CODE_H
#define PMEM_JAVA_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "language/interpreter.h"

enum java_code_kind {
	JAVA_CODE_NONE,        // no code, or frames of unknown form
	JAVA_CODE_COMPILED,    // a compiled method
	JAVA_CODE_NATIVE,      // the code that calls a native method
	JAVA_CODE_STUB,        // a stub with a frame of its own
	JAVA_CODE_INTERPRETER,
	JAVA_CODE_ENTRY,       // the stub through which the virtual machine calls Java
};

struct java_code {
	enum java_code_kind kind;
	uintptr_t object;     // HotSpot's CodeBlob
	uint32_t frame_bytes; // size of a frame with the return address, for COMPILED, NATIVE and STUB
};

// A method to which a place in compiled code belongs. If the method was inlined, `outwards` leads
// to the scope of the method into which it was inlined.
struct java_scope {
	uintptr_t method;
	int32_t bytecode;  // index of the instruction in the method; negative if not known
	uint32_t outwards; // offset of the next outer scope; 0 if this is the outermost
};

// Returns true if HotSpot keeps its code at this address.
bool java_code_has(uintptr_t address);

// Verifies the names of the code where the interpreter and the call stub should be.
enum interpreter_verdict java_code_verify(void);

struct java_code java_code_at(uintptr_t pc);

// HotSpot may decide that a compiled method goes on in the interpreter. It then replaces the pc in
// the method's frame by a handler's address. The original pc is kept in the frame. If `pc` is a
// handler's address, returns the offset of the original pc from the frame's sp. Otherwise returns a
// negative number.
int32_t java_code_moved(const struct java_code *code, uintptr_t pc);

// Returns a number that identifies a place in a compiled method. No code compiled later has the
// same number.
uint64_t java_code_id(const struct java_code *code, uintptr_t pc);

// Finds the innermost method to which a place in compiled code belongs. If the place has no debug
// information, sets `scope` to the method that was compiled, and returns false. In that case a call
// at the place may have moved the stack pointer. The frame may then be larger than frame_bytes.
bool java_code_scope(const struct java_code *code, uintptr_t pc, struct java_scope *scope);

// Returns the scope to which `outwards`, a field of the inner scope, leads.
struct java_scope java_code_outwards(const struct java_code *code, uint32_t outwards);

#endif
