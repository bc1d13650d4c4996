// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "stacks/stack.h"
#include "language/interpreter.h"
#include "language/processor_layout.h"
#include "language/java_vm.h"
#include "language/java_code.h"
#include "language/java_method.h"

// OpenJDK 17, HotSpot. Where the calling thread's native frames end, its Java frames begin: they
// are followed outwards. Compiled code keeps no frame pointer, but the virtual machine has the size
// of each frame. Interpreted frames keep a frame pointer, and have their method and instruction at
// fixed offsets from it (frame_PROCESSOR.hpp). Native frames between Java frames are skipped as the
// virtual machine skips them (JavaFrameAnchor).

enum {
	WORD = sizeof(uintptr_t),
	// Upper bound of the frames that are read. More than the number of lines, since hidden frames
	// have no line.
	FRAMES_MAX = PMEM_LANGUAGE_FRAMES + PMEM_LANGUAGE_FRAMES / 2,
	SAVED_FP = -2 * WORD, // where a compiled frame saves fp, relative to its caller's sp
	// Offsets from an interpreted frame's fp.
	CALLER_PC = WORD,
	CALLER_SP_MIN = WORD, // lower bound of the caller's sp
	CALLER_SP = -1 * WORD,
	FRAME_METHOD = -3 * WORD,
	// address of the locals, which lie outwards of fp
	FRAME_LOCALS = PROCESSOR_JAVA_LOCALS * WORD,
	// address of the current instruction; 0 if the method is native
	FRAME_INSTRUCTION = FRAME_LOCALS - WORD,
	// The word at this offset is the address of the operand stack's bottom. The bottom lies at this
	// offset, too, or further inwards.
	FRAME_BOTTOM = FRAME_INSTRUCTION - WORD,
	// The virtual machine calls Java through a frame of its own. In that frame the address of the
	// JavaCallWrapper is at this offset from fp.
	ENTRY_WRAPPER = PROCESSOR_JAVA_WRAPPER * WORD,
};

// Reads a word of the thread's own stack. Returns false if `at` is inwards of sp or not on that
// stack.
static bool
read_word(uintptr_t sp, uintptr_t at, uintptr_t *word)
{
	return at >= sp && walk_word(at, word);
}

static bool
leave_interpreted(struct unwind *frame)
{
	struct unwind caller;

	if (!read_word(frame->sp, frame->fp, &caller.fp)
		|| !read_word(frame->sp, frame->fp + (uintptr_t)CALLER_PC, &caller.pc)
		|| !read_word(frame->sp, frame->fp + (uintptr_t)CALLER_SP, &caller.sp))
		return false;
	if (caller.sp < frame->fp + CALLER_SP_MIN) {
		if (!PROCESSOR_JAVA_OVERLAPS || java_code_at(caller.pc).kind != JAVA_CODE_INTERPRETER)
			return false;
		caller.sp = frame->fp + CALLER_SP_MIN;
	}
	*frame = caller;
	return true;
}

static bool
leave_compiled(struct unwind *frame, const struct java_code *code)
{
	struct unwind caller = {.sp = frame->sp + code->frame_bytes};

	if (!read_word(frame->sp, caller.sp - WORD, &caller.pc)
		|| !read_word(frame->sp, caller.sp + (uintptr_t)SAVED_FP, &caller.fp))
		return false;
	*frame = caller;
	return true;
}

// `frame` is the frame through which native code has called Java. Java code may have called that
// native code. Sets `frame` to that Java code's frame. Returns false if there is no such frame, or
// if it is not further outwards.
static bool
leave_entry(struct unwind *frame)
{
	struct unwind caller;
	uintptr_t wrapper;

	// The JavaCallWrapper is a local variable in a native frame of the virtual machine. So it is on
	// this stack, and read_word() can read it.
	if (!read_word(frame->sp, frame->fp + (uintptr_t)ENTRY_WRAPPER, &wrapper))
		return false;
	uintptr_t anchor = wrapper + java_vm.wrapper_anchor;
	if (!read_word(frame->sp, anchor + java_vm.anchor_sp, &caller.sp)
		|| !read_word(frame->sp, anchor + java_vm.anchor_pc, &caller.pc)
		|| !read_word(frame->sp, anchor + java_vm.anchor_fp, &caller.fp) || caller.sp <= frame->sp
		|| (caller.pc == 0 && !read_word(frame->sp, caller.sp - WORD, &caller.pc)))
		return false;
	*frame = caller;
	return true;
}

static uint64_t
hash_of(uintptr_t method, int32_t bytecode)
{
	return hash_step(java_method_hash(method), java_method_line(method, bytecode));
}

// Appends a method's frame to a stack, unless Java hides the method.
static void
add(struct language_stack *stack, uintptr_t method, int32_t bytecode)
{
	if (stack->depth == PMEM_LANGUAGE_FRAMES || java_method_is_hidden(method))
		return;
	stack->frames[stack->depth++]
		= (struct language_frame){method, (uintptr_t)(intptr_t)bytecode, hash_of(method, bytecode)};
}

// Returns true if the frame looks like a frame of HotSpot's interpreter: the addresses in it are
// consistent.
static bool
is_interpreted(const struct unwind *frame)
{
	uintptr_t bottom, locals, caller;

	return read_word(frame->sp, frame->fp + (uintptr_t)FRAME_BOTTOM, &bottom)
		&& read_word(frame->sp, frame->fp + (uintptr_t)FRAME_LOCALS, &locals)
		&& read_word(frame->sp, frame->fp + (uintptr_t)CALLER_SP, &caller)
		&& bottom >= frame->sp && bottom <= frame->fp + (uintptr_t)FRAME_BOTTOM
		&& bottom % WORD == 0 && locals > frame->fp && locals % WORD == 0
		&& (PROCESSOR_JAVA_OVERLAPS || caller >= frame->fp + CALLER_SP_MIN);
}

// Returns a hash of an interpreted frame's method and current instruction. Returns 0 if the frame
// is not the interpreter's. If `stack` is not NULL, appends the frame to the stack.
static uint64_t
take_interpreted(struct language_stack *stack, const struct unwind *frame)
{
	uintptr_t method, instruction;

	if (!is_interpreted(frame) || !read_word(frame->sp, frame->fp + (uintptr_t)FRAME_METHOD, &method)
		|| !read_word(frame->sp, frame->fp + (uintptr_t)FRAME_INSTRUCTION, &instruction)
		|| method == 0 || method % WORD != 0)
		return 0;
	int32_t bytecode = instruction ? java_method_bytecode(method, instruction) : -1;
	if (stack)
		add(stack, method, bytecode);
	return hash_step(java_method_id(method), (uint32_t)bytecode);
}

// Appends the method to which `pc`, in compiled code, belongs. If the method was inlined, also
// appends the methods into which it was inlined.
static void
add_compiled(struct language_stack *stack, const struct java_code *code, uintptr_t pc)
{
	struct java_scope scope;

	java_code_scope(code, pc, &scope);
	add(stack, scope.method, scope.bytecode);
	while (scope.outwards != 0 && stack->depth != PMEM_LANGUAGE_FRAMES) {
		scope = java_code_outwards(code, scope.outwards);
		add(stack, scope.method, scope.bytecode);
	}
}

// Adds a frame of a compiled method to the hash, and to `stack` if that is not NULL. Then sets
// `frame` to the frame of its caller. `is_called` is true if the frame has called a Java method.
// Each place with a call of a Java method has debug information. Returns false if no further frame
// can be read.
static bool
take_compiled(struct language_stack *stack, struct unwind *frame, const struct java_code *code,
	bool is_called, uint64_t *hash)
{
	int32_t moved = java_code_moved(code, frame->pc);
	struct java_scope scope;

	if (moved >= 0 && !read_word(frame->sp, frame->sp + (uintptr_t)moved, &frame->pc))
		return false;
	*hash = hash_append(*hash, java_code_id(code, frame->pc));
	if (stack)
		add_compiled(stack, code, frame->pc);
	// At a place without debug information the frame may be larger than the virtual machine says.
	// This is so at some calls of the garbage collector's code.
	bool is_sure = is_called || code->kind == JAVA_CODE_NATIVE || java_code_scope(code, frame->pc, &scope);
	return is_sure && leave_compiled(frame, code);
}

// Adds one frame to the hash, and to `stack` if that is not NULL. Then sets `frame` to its caller's
// frame. Returns false if no further frame can be read.
static bool
take(struct language_stack *stack, struct unwind *frame, bool *is_called, uint64_t *hash)
{
	struct java_code code = java_code_at(frame->pc);
	bool was_called = *is_called;
	uint64_t id = 0;

	*is_called = code.kind != JAVA_CODE_STUB;
	switch (code.kind) {
	case JAVA_CODE_COMPILED:
	case JAVA_CODE_NATIVE: return take_compiled(stack, frame, &code, was_called, hash);
	case JAVA_CODE_INTERPRETER:
		id = take_interpreted(stack, frame);
		*hash = hash_append(*hash, id);
		return id != 0 && leave_interpreted(frame);
	case JAVA_CODE_STUB: return leave_compiled(frame, &code);
	case JAVA_CODE_ENTRY: return leave_entry(frame);
	default: return false;
	}
}

static uint64_t
read_stack(struct language_stack *stack, const struct unwind *caller, const struct unwind *compiled)
{
	(void)caller;
	uint64_t hash = HASH_SEED;

	if (stack)
		stack->depth = 0;
	if (!compiled)
		return hash;
	struct unwind frame = *compiled;
	bool is_called = false;
	for (unsigned i = 0; i != FRAMES_MAX && take(stack, &frame, &is_called, &hash); i++)
		;
	return hash;
}

static bool
describe(
	const struct language_frame *frame, uint32_t number, struct script_line_words *words)
{
	(void)number;
	java_method_words(frame->code, words);
	words->line = java_method_line(frame->code, (int32_t)(intptr_t)frame->at);
	return true;
}

// Verifies HotSpot's tables and code, and that its first predefined name is "java.base".
static enum interpreter_verdict
verify(void)
{
	static const char first[] = "java.base";
	enum interpreter_verdict verdict = java_vm_read();
	uint32_t length;

	if (verdict == INTERPRETER_HOLDS)
		verdict = java_code_verify();
	if (verdict != INTERPRETER_HOLDS)
		return verdict;
	uintptr_t symbol = word_at(java_vm.symbols, WORD);
	if (!symbol)
		return INTERPRETER_UNSURE;
	const char *text = java_vm_text(symbol, &length);
	return length == sizeof(first) - 1 && memcmp(text, first, length) == 0
		? INTERPRETER_HOLDS : INTERPRETER_DIFFERS;
}

static bool
has_compiled(uintptr_t address, bool interrupted)
{
	return !interrupted && java_code_has(address);
}

const struct interpreter java = {
	.language = "java",
	.library = "libjvm.so",
	.version = "gHotSpotVMStructs",
	.open = java_vm_open,
	.verify = verify,
	.differs = java_vm_unknown,
	.has_compiled = has_compiled,
	.read = read_stack,
	.describe = describe,
	.wants_frame = true,
};
