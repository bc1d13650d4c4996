// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "language/interpreter.h"
#include "language/python_layout.h"
#include "language/python_c_frame.h"
#include "language/python_text.h"

// CPython 3.11 to 3.15. While a thread holds the interpreter's lock (the GIL), no other thread
// changes its frames or frees their functions. In 3.11 and 3.12 frames are read without the lock,
// too (python_c_frame.h).

enum {
	RELEASE_MASK = 0xf0, // bits of Py_Version: alpha, beta, candidate or final
	RELEASE_FINAL = 0xf0,
	CODE_UNIT = 2, // bytes of an instruction
	// A frame whose owner has this number or a higher one is the interpreter's own, and runs no
	// function.
	OWNED_BY_INTERPRETER = 3,
	VERIFIED_FRAMES = 16,
	// So many frames of a new stack are searched for an import statement.
	IMPORT_DEPTH = PMEM_LANGUAGE_FRAMES + 256,
	// The numbers from here on are the same in all versions (Include/object.h,
	// Include/cpython/unicodeobject.h).
	OBJECT_TYPE = 8,
	OBJECT_SIZE = 16, // the number of items in a bytes object or a code object
	TEXT_HASH = 24,
	BYTES_CONTENT = 32,
	// Upper bound of the bytes before a code object's instructions, in 3.11 and 3.12.
	CODE_HEAD = 192,
};

// Written once, before the first frame is read.
static struct {
	struct python_layout layout;
	void *(*current_thread)(void); // returns the thread state that has the lock, or NULL
	// Returns the calling thread's own thread state, even without the lock. In 3.11 the first one of
	// the thread, in 3.12 the last one that had the lock.
	void *(*own_thread)(void);
	int (*line)(void *code, int at);
	intptr_t (*hash)(void *text);
	const char *runtime;
	uintptr_t code_type;
	uintptr_t text_type;
	uint32_t version;
} state;

static bool
choose_layout(void)
{
	switch (state.version) {
	case PYTHON_3_11: state.layout = python_3_11; return true;
	case PYTHON_3_12: state.layout = python_3_12; return true;
	case PYTHON_3_13:
	case PYTHON_3_14:
	case PYTHON_3_15: return python_layout_read(&state.layout, state.version, state.runtime);
	default: return false;
	}
}

static const char *
open(const struct dynsym *symbols)
{
	const unsigned long *version = symbol_data(symbols, python.version);

	// The function has this name from 3.13 on. Before, its name is _PyThreadState_UncheckedGet().
	void *current = symbol_at(symbols, "PyThreadState_GetUnchecked");
	state.current_thread = (__typeof__(state.current_thread))(
		current ? current : symbol_at(symbols, "_PyThreadState_UncheckedGet"));
	state.own_thread
		= (__typeof__(state.own_thread))symbol_at(symbols, "PyGILState_GetThisThreadState");
	state.line = (__typeof__(state.line))symbol_at(symbols, "PyCode_Addr2Line");
	state.hash = (__typeof__(state.hash))symbol_at(symbols, "PyObject_Hash");
	state.runtime = symbol_data(symbols, "_PyRuntime");
	state.code_type = (uintptr_t)symbol_data(symbols, "PyCode_Type");
	state.text_type = (uintptr_t)symbol_data(symbols, "PyUnicode_Type");
	if (!version || (*version & RELEASE_MASK) != RELEASE_FINAL)
		return "this version of Python is not known to this pmem (3.11 to 3.15 are): no lines of "
		       "Python are shown";
	state.version = (uint32_t)(*version >> 16);
	if (!state.current_thread || !state.own_thread || !state.line || !state.hash || !state.runtime
		|| !state.code_type || !state.text_type || !choose_layout())
		return "this version of Python is not known to this pmem (3.11 to 3.15 are, with a GIL): no "
		       "lines of Python are shown";
	python_c_frame_open(&state.layout);
	return NULL;
}

// Returns the calling thread's first thread state if that has the lock, otherwise 0. In 3.11 the
// lock may be held by another thread's state, or by this thread's state in an inner interpreter.
static inline uintptr_t
current_thread(void)
{
	void *thread = state.current_thread();
	if (thread && state.version == PYTHON_3_11 && state.own_thread() != thread)
		return 0;
	return (uintptr_t)thread;
}

static inline uintptr_t
current_frame(const struct python_layout *layout, uintptr_t thread)
{
	uintptr_t frame = word_at(thread, layout->thread_frame);
	if (layout->c_frame_frame == PYTHON_NO_C_FRAME || !frame)
		return frame;
	return word_at(frame, layout->c_frame_frame);
}

// Returns the innermost frame if the calling thread runs an inner interpreter of 3.11, or has
// released the lock in 3.11 or 3.12. Otherwise returns 0.
static __attribute__((noinline)) uintptr_t
frame_on_stack(const struct unwind *caller)
{
	if (state.layout.c_frame_frame == PYTHON_NO_C_FRAME)
		return 0;
	uintptr_t c_frame = python_c_frame_find(
		caller, (uintptr_t)state.current_thread(), (uintptr_t)state.own_thread());
	return c_frame ? word_at(c_frame, state.layout.c_frame_frame) : 0;
}

static inline bool
runs_function(const struct python_layout *layout, uintptr_t frame)
{
	return !layout->frame_owner
		|| *((const char *)frame + layout->frame_owner) < OWNED_BY_INTERPRETER;
}

// Returns the code object that a frame runs. Returns 0 if the frame runs no function, or if the
// code object is just being freed.
static inline uintptr_t
code_of(const struct python_layout *layout, uintptr_t code_type, uintptr_t frame)
{
	uintptr_t code = runs_function(layout, frame)
		? word_at(frame, layout->frame_code) & ~layout->frame_code_tags : 0;
	return code && word_at(code, OBJECT_TYPE) == code_type && half_at(code, 0) != 0 ? code : 0;
}

// Returns where in the code the instruction is, in bytes. Negative before the first instruction.
static inline intptr_t
place_in(const struct python_layout *layout, uintptr_t code, uintptr_t instruction)
{
	return (intptr_t)(instruction - (code + layout->code_instructions));
}

// Hashes a text that has not been hashed yet. Python's own function, state.hash(), also stores the
// hash in the text. That function is called only for the type str itself. A subclass may have a
// hash function of the program's.
static __attribute__((noinline)) uint64_t
hash_characters(uintptr_t text)
{
	const char *from;
	size_t bytes;
	uint64_t hash = HASH_SEED;

	if (!python_text_find(&state.layout, text, &from, &bytes))
		return hash_step(hash, text);
	if (word_at(text, OBJECT_TYPE) == state.text_type)
		return (uint64_t)state.hash((void *)text);
	for (size_t at = 0; at < bytes; at += sizeof(hash)) {
		uint64_t word = 0;
		memcpy(&word, from + at, bytes - at < sizeof(word) ? bytes - at : sizeof(word));
		hash = hash_step(hash, word);
	}
	return hash_step(hash, bytes);
}

// Returns the hash of a text's characters. Python keeps it in the text, if it has been computed.
static inline uint64_t
hash_of_text(uintptr_t text)
{
	uintptr_t hash = word_at(text, TEXT_HASH);
	return __builtin_expect(hash != UINTPTR_MAX, 1) ? hash : hash_characters(text);
}

// Hashes a function's file, name and lines, and where in the function the instruction is. The
// function's address is not enough, since another function may have the same address later.
static inline uint64_t
hash_of_place(const struct python_layout *layout, uintptr_t code, uintptr_t instruction)
{
	uintptr_t lines = word_at(code, layout->code_lines);
	// The instruction's address and the code object's are close together. The latter is shifted, so
	// that it changes other bits of the sum.
	uint64_t place = (code << 17) + instruction
		+ ((uint64_t)half_at(code, layout->code_first_line) << 32);

	// The hash is a sum, since the processor can compute the parts of a sum side by side.
	return hash_of_text(word_at(code, layout->code_file)) * UINT64_C(0x9e3779b97f4a7c15)
		+ hash_of_text(word_at(code, layout->code_name)) * UINT64_C(0xd1342543de82ef95)
		+ (word_at(lines, BYTES_CONTENT) ^ word_at(lines, OBJECT_SIZE) << 56)
			* UINT64_C(0xaf251af3b0f025b5)
		+ place * UINT64_C(0xbf58476d1ce4e5b9);
}

// Returns true for code that Python's tracebacks leave out, too. This is the import statement's own
// code, in two files of Python's that no user knows. From 3.12 on it is also the code that runs
// between a class's call and its __init__(). That code's file name is the same text as its
// function's name.
static inline bool
is_left_out(const struct python_layout *layout, uintptr_t code)
{
	static const char file[] = "<frozen importlib._bootstrap>", other[] = "_external>";
	enum { COMMON = sizeof(file) - 2, BOTH = COMMON + sizeof(other) - 1, SHIM = sizeof("__init__") - 1 };
	const uint64_t lengths = UINT64_C(1) << SHIM | UINT64_C(1) << (COMMON + 1) | UINT64_C(1) << BOTH;
	uintptr_t text = word_at(code, layout->code_file);
	uintptr_t length = word_at(text, PYTHON_TEXT_LENGTH);
	const char *from;
	size_t bytes;

	if (__builtin_expect(length > BOTH || !(lengths >> length & 1), 1))
		return false;
	if (length == SHIM)
		return text == word_at(code, layout->code_name);
	return python_text_find(&state.layout, text, &from, &bytes) && bytes == length
		&& memcmp(from, file, COMMON) == 0;
}

// Inlined, so that the offsets of 3.11 and 3.12 are constants in the code.
static inline __attribute__((always_inline)) uint64_t
read_frames(const struct python_layout *layout, struct language_stack *stack, const struct unwind *caller)
{
	const uintptr_t code_type = state.code_type;
	uintptr_t thread = current_thread();
	uintptr_t frame = thread ? current_frame(layout, thread) : frame_on_stack(caller);
	uint64_t hash = HASH_SEED;

	const uint32_t most = stack ? IMPORT_DEPTH : PMEM_LANGUAGE_FRAMES;
	struct language_frame outermost = {0};

	for (uint32_t depth = 0; frame && depth != most; frame = word_at(frame, layout->frame_previous)) {
		uintptr_t code = code_of(layout, code_type, frame);
		if (!code)
			continue;
		if (__builtin_expect(is_left_out(layout, code), 0)) {
			// Left-out code whose file name is not its function's name is the import statement's.
			// There the stack's lines end. It does not matter which module was the first to import
			// the module. How the module's line came to the innermost one hardly matters.
			if (depth == 0 || word_at(code, layout->code_file) == word_at(code, layout->code_name))
				continue;
			if (stack && depth > 1 && PMEM_LANGUAGE_FRAMES > 1)
				append_frame(stack, 1, outermost, hash);
			if (stack)
				stack->in_import = true;
			break;
		}
		uintptr_t at = word_at(frame, layout->frame_instruction);
		outermost = (struct language_frame){code, at, hash_of_place(layout, code, at)};
		// If no frame is stored, `most` is this number, and the compiler leaves the comparison out.
		if (!stack || depth < PMEM_LANGUAGE_FRAMES)
			hash = append_frame(stack, depth, outermost, hash);
		depth++;
	}
	return hash;
}

static SYS_ALIGNS_STACK uint64_t
read_stack(struct language_stack *stack, const struct unwind *caller, const struct unwind *compiled)
{
	(void)compiled;
	if (stack) {
		stack->depth = 0;
		return read_frames(&state.layout, stack, caller);
	}
	switch (state.version) {
	case PYTHON_3_11: return read_frames(&python_3_11, NULL, caller);
	case PYTHON_3_12: return read_frames(&python_3_12, NULL, caller);
	default: return read_frames(&state.layout, NULL, caller);
	}
}

// Returns the line of a place in code. Without the lock Python's function gets a copy of the code
// object, with only the fields that never change. A thread with the lock may just be making tables
// for tracing, from which that function would take the line.
static int
line_of(uintptr_t code, int at)
{
	const struct python_layout *layout = &state.layout;
	uintptr_t copy[CODE_HEAD / sizeof(uintptr_t)] = {0};

	if (layout->c_frame_frame == PYTHON_NO_C_FRAME)
		return state.line((void *)code, at);
	memcpy(copy, (const void *)code, OBJECT_SIZE + sizeof(uintptr_t));
	memcpy((char *)copy + layout->code_lines, (const char *)code + layout->code_lines, sizeof(uintptr_t));
	memcpy((char *)copy + layout->code_first_line, (const char *)code + layout->code_first_line,
		sizeof(uint32_t));
	return state.line(copy, at);
}

static SYS_ALIGNS_STACK bool
describe(
	const struct language_frame *frame, uint32_t number, struct script_line_words *words)
{
	(void)number;
	char name[PYTHON_TEXT_ROOM];
	int line = line_of(frame->code, (int)place_in(&state.layout, frame->code, frame->at));

	words->line = line > 0 ? (uint32_t)line : 0;
	python_text_copy(&state.layout, name, word_at(frame->code, state.layout.code_file));
	script_line_file(words, name);
	python_text_copy(&state.layout, name, word_at(frame->code, state.layout.code_name));
	script_line_function(words, name);
	return true;
}

static bool
is_text(uintptr_t object)
{
	return sys_readable(object) && sys_readable(object + state.layout.text_other)
		&& word_at(object, OBJECT_TYPE) == state.text_type;
}

static bool
is_function(uintptr_t code, uintptr_t instruction)
{
	if (!sys_readable(code) || !sys_readable(code + state.layout.code_instructions)
		|| word_at(code, OBJECT_TYPE) != state.code_type)
		return false;
	intptr_t at = place_in(&state.layout, code, instruction);
	uintptr_t lines = word_at(code, state.layout.code_lines);
	return at >= -CODE_UNIT && at < (intptr_t)(word_at(code, OBJECT_SIZE) * CODE_UNIT)
		&& sys_readable(lines) && is_text(word_at(code, state.layout.code_file))
		&& is_text(word_at(code, state.layout.code_name))
		&& state.line((void *)code, -1) == (int)half_at(code, state.layout.code_first_line);
}

// Verifies that the innermost frames are laid out as in this version. At least one frame must run a
// function.
static enum interpreter_verdict
verify(void)
{
	uintptr_t thread = current_thread();
	uint32_t functions = 0;

	if (!thread || !sys_readable(thread) || !sys_readable(thread + state.layout.thread_frame))
		return INTERPRETER_UNSURE;
	if (state.layout.c_frame_frame != PYTHON_NO_C_FRAME
		&& !sys_readable(word_at(thread, state.layout.thread_frame)))
		return INTERPRETER_UNSURE;
	uintptr_t frame = current_frame(&state.layout, thread);
	for (int i = 0; frame && i < VERIFIED_FRAMES; i++) {
		if (!sys_readable(frame) || !sys_readable(frame + state.layout.frame_instruction))
			return INTERPRETER_DIFFERS;
		uintptr_t code = word_at(frame, state.layout.frame_code) & ~state.layout.frame_code_tags;
		if (runs_function(&state.layout, frame)) {
			if (!is_function(code, word_at(frame, state.layout.frame_instruction)))
				return INTERPRETER_DIFFERS;
			functions++;
		}
		frame = word_at(frame, state.layout.frame_previous);
	}
	return functions > 0 ? INTERPRETER_HOLDS : INTERPRETER_UNSURE;
}

const struct interpreter python = {
	.language = "python",
	.library = "libpython3.",
	.loop = "_PyEval_EvalFrameDefault",
	.version = "Py_Version",
	.open = open,
	.verify = verify,
	.read = read_stack,
	.describe = describe,
	// Python itself is not asked which allocator it uses. Its function for that takes a lock, which
	// no longer exists when Python exits.
	.variable = "PYTHONMALLOC=",
	.value = "malloc",
	.advice = "Python takes blocks of up to 512 bytes from pools of its own. A stack that mapped memory "
		"needed a new pool; another stack may keep what is in that pool. With PYTHONMALLOC=malloc in "
		"its environment each block is seen",
};
