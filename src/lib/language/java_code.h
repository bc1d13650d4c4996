// SPDX-License-Identifier: BSD-2-Clause
// java_code: identifies HotSpot's generated code by an address in it: compiled methods, the
// interpreter, stubs. For a place in a compiled method it gives the methods there, with the inlined
// ones.
//
// Who may call: as in interpreter.h, for return addresses of frames on the caller's own stack. Code
// that a thread runs is not moved.

#ifndef PMEM_JAVA_CODE_H
#define PMEM_JAVA_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "language/interpreter.h"

enum java_code_kind {
	JAVA_CODE_NONE,        // nothing with a frame of a known kind
	JAVA_CODE_COMPILED,    // a compiled method
	JAVA_CODE_NATIVE,      // the code that calls a native method
	JAVA_CODE_STUB,        // a stub with a frame of its own
	JAVA_CODE_INTERPRETER,
	JAVA_CODE_ENTRY,       // the stub through which the machine calls Java
};

struct java_code {
	enum java_code_kind kind;
	uintptr_t object;     // HotSpot's CodeBlob
	uint32_t frame_bytes; // size of its frame, with the return address; for the first three kinds
};

// A method at a place, and, if it is inlined, the place where it was inlined.
struct java_scope {
	uintptr_t method;
	int32_t bytecode;  // index of the instruction in the method; negative if not known
	uint32_t outwards; // offset of the next outer scope; 0 if this is the outermost
};

// Returns true if HotSpot keeps its code at this address.
bool java_code_has(uintptr_t address);

// Verifies that the interpreter and the stubs are where they should be.
enum interpreter_verdict java_code_verify(void);

struct java_code java_code_at(uintptr_t pc);

// For a frame of a compiled method. If the method is to be interpreted from here on, the frame's pc
// is that of a handler. Returns where its original pc is, in bytes from its stack pointer. Returns
// a negative number if the frame goes on at pc.
int32_t java_code_moved(const struct java_code *code, uintptr_t pc);

// Returns what identifies a place in a compiled method, also later.
uint64_t java_code_id(const struct java_code *code, uintptr_t pc);

// Finds the innermost method of a place in a compiled one. Returns false if the place has no debug
// information: then it is the method that was compiled. Such is a call for which code may have
// moved its stack pointer.
bool java_code_scope(const struct java_code *code, uintptr_t pc, struct java_scope *scope);

// Returns the next outer scope.
struct java_scope java_code_outwards(const struct java_code *code, uint32_t outwards);

#endif
