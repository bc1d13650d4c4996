// SPDX-License-Identifier: BSD-2-Clause
// java_code: the code that HotSpot has made, by an address in it: compiled methods, the interpreter,
// stubs; and of a compiled method which methods a place in it is in, those that were inlined, too.
//
// Who may call: as interpreter.h, for return addresses of frames on its own stack: what a thread runs
// stays where it is.

#ifndef PMEM_JAVA_CODE_H
#define PMEM_JAVA_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "language/interpreter.h"

enum java_code_kind {
	JAVA_CODE_NONE,        // nothing that a frame of a known kind would be in
	JAVA_CODE_COMPILED,    // a method
	JAVA_CODE_NATIVE,      // what calls a native method
	JAVA_CODE_STUB,        // a stub with a frame of its own
	JAVA_CODE_INTERPRETER,
	JAVA_CODE_ENTRY,       // the stub by which the machine calls Java
};

struct java_code {
	enum java_code_kind kind;
	uintptr_t object;     // HotSpot's CodeBlob
	uint32_t frame_bytes; // of a frame in it with its return address; of the first three
};

// A method where a place is, and of an inlined one the place that it was inlined at.
struct java_scope {
	uintptr_t method;
	int32_t bytecode;  // index of the instruction in it; negative: not known
	uint32_t outwards; // where the next one is told of; 0: it is the outermost
};

// Whether HotSpot keeps its code there.
bool java_code_has(uintptr_t address);

// Whether what is known of its code holds: the interpreter and the stubs are where they should be.
enum interpreter_verdict java_code_verify(void);

struct java_code java_code_at(uintptr_t pc);

// Where a method is to be interpreted from here on, a frame of it goes on elsewhere, and has where it was,
// a word so many bytes from its stack pointer. Negative: it goes on at pc. Of a compiled method.
int32_t java_code_moved(const struct java_code *code, uintptr_t pc);

// What no other place in a compiled method has, also not later.
uint64_t java_code_id(const struct java_code *code, uintptr_t pc);

// The innermost method of a place in a compiled one. False: nothing is told of that place, as of a call
// for which code may have moved its stack pointer; then it is the method that was compiled.
bool java_code_scope(const struct java_code *code, uintptr_t pc, struct java_scope *scope);

// The next one outwards.
struct java_scope java_code_outwards(const struct java_code *code, uint32_t outwards);

#endif
