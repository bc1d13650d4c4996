// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "language/interpreter.h"

// PHP 8.2, built without threads (NTS). Only one thread of a process runs PHP, so no lock is
// needed. The engine's state is in one variable, executor_globals. Its field current_execute_data
// is the innermost frame. Each frame is initialized before it becomes the innermost one.
//
// A frame's opline is the instruction that runs. For the innermost frame the engine keeps the
// opline in a register. It does not always store it before an allocation. So for the innermost
// frame the line is not known, only the function. A frame that has called another one stores its
// opline before the call, since PHP's own backtraces need it. This holds for calls of PHP's
// built-in functions, too: these have frames of their own.

// Offsets in bytes, as in the headers of PHP 8.2 (zend_globals.h, zend_compile.h, zend_types.h).
enum {
	GLOBALS_FRAME = 488, // executor_globals.current_execute_data
	FRAME_OPLINE = 0,
	FRAME_FUNCTION = 24,
	FRAME_PREVIOUS = 48,
	FUNCTION_TYPE = 0, // a field of one byte
	FUNCTION_NAME = 8, // a text; 0 for a file's code outside of functions
	FUNCTION_CLASS = 16,
	FUNCTION_INSTRUCTIONS = 80, // number of instructions
	FUNCTION_CODE = 88, // the first instruction
	FUNCTION_FILE = 152,
	FUNCTION_FIRST_LINE = 160,
	FUNCTION_LAST_LINE = 164,
	INSTRUCTION_LINE = 24,
	INSTRUCTION_BYTES = 32,
	CLASS_NAME = 8,
	TEXT_HASH = 8, // hash of the characters; 0 if not computed yet
	TEXT_CHARACTERS = 24,
	VERIFIED_FRAMES = 8,
};

enum function_type {
	TYPE_BUILT_IN = 1,
	TYPE_USER = 2,
	TYPE_EVAL = 4,
};

static struct {
	const char *globals;
	const char *(*version)(void);
	const char *(*file)(void);
	const char *(*function)(void);
	const char *(*class)(const char **separator);
	uint32_t (*line)(void);
} state;

static const char unknown[] = "this version of PHP is not known to this pmem (8.2 is, without "
	"threads): no lines of PHP are shown";

static const char *
open(const struct dynsym *symbols)
{
	state.globals = symbol_data(symbols, "executor_globals");
	state.version = (__typeof__(state.version))symbol_at(symbols, "get_zend_version");
	state.file = (__typeof__(state.file))symbol_at(symbols, "zend_get_executed_filename");
	state.function = (__typeof__(state.function))symbol_at(symbols, "get_active_function_name");
	state.class = (__typeof__(state.class))symbol_at(symbols, "get_active_class_name");
	state.line = (__typeof__(state.line))symbol_at(symbols, "zend_get_executed_lineno");
	if (!state.globals || !state.version || !state.file || !state.function || !state.class
		|| !state.line)
		return unknown;
	return NULL;
}

static inline enum function_type
type_of(uintptr_t function)
{
	return (enum function_type)*(const unsigned char *)(function + FUNCTION_TYPE);
}

// Returns the function that a frame runs. Returns 0 if the function is not written in PHP. Frames
// of generators, and of calls from C, may have no function: then also returns 0.
static inline uintptr_t
function_of(uintptr_t frame)
{
	uintptr_t function = word_at(frame, FRAME_FUNCTION);
	return function && type_of(function) != TYPE_BUILT_IN ? function : 0;
}

static inline uintptr_t
innermost_frame(void)
{
	return word_at((uintptr_t)state.globals, GLOBALS_FRAME);
}

// Returns the line of a frame's stored instruction, or 0 if that instruction is not in the
// function's code. It may be elsewhere while an exception is thrown, or if the frame has not stored
// an instruction yet.
static inline uint32_t
line_of(uintptr_t frame, uintptr_t function)
{
	uintptr_t at = word_at(frame, FRAME_OPLINE);
	uintptr_t bytes = (uintptr_t)half_at(function, FUNCTION_INSTRUCTIONS) * INSTRUCTION_BYTES;
	return at - word_at(function, FUNCTION_CODE) < bytes ? half_at(at, INSTRUCTION_LINE) : 0;
}

static inline const char *
characters_of(uintptr_t text)
{
	return text ? (const char *)text + TEXT_CHARACTERS : "";
}

static inline uint64_t
hash_of_text(uintptr_t text)
{
	uint64_t hash = text ? word_at(text, TEXT_HASH) : 0;
	return hash != 0 ? hash : hash_string(characters_of(text));
}

// Returns a hash of the file, the function and the line. The function's first line is included, to
// tell functions without a name apart.
static inline uint64_t
hash_of_place(uintptr_t function, uint32_t line)
{
	uintptr_t class = word_at(function, FUNCTION_CLASS);
	uint64_t lines = (uint64_t)half_at(function, FUNCTION_FIRST_LINE) << 32 | line;

	return hash_of_text(word_at(function, FUNCTION_FILE)) * UINT64_C(0x9e3779b97f4a7c15)
		+ hash_of_text(word_at(function, FUNCTION_NAME)) * UINT64_C(0xd1342543de82ef95)
		+ hash_of_text(class ? word_at(class, CLASS_NAME) : 0) * UINT64_C(0xaf251af3b0f025b5)
		+ lines * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint64_t
read_stack(struct language_stack *stack, const struct unwind *caller, const struct unwind *compiled)
{
	uintptr_t innermost = innermost_frame();
	uint64_t hash = HASH_SEED;
	uint32_t depth = 0;

	(void)caller;
	(void)compiled;
	if (stack)
		stack->depth = 0;
	for (uintptr_t frame = innermost; frame && depth != PMEM_LANGUAGE_FRAMES;
		frame = word_at(frame, FRAME_PREVIOUS)) {
		uintptr_t function = function_of(frame);
		if (!function)
			continue;
		uint32_t line = frame == innermost ? 0 : line_of(frame, function);
		hash = append_frame(stack, depth++,
			(struct language_frame){function, line, hash_of_place(function, line)}, hash);
	}
	return hash;
}

// Appends a text to the name, up to its room.
static size_t
append(char *name, size_t used, size_t room, const char *text)
{
	while (*text && used < room)
		name[used++] = *text++;
	name[used] = '\0';
	return used;
}

static bool
describe(const struct language_frame *frame, uint32_t number, struct script_line_words *words)
{
	// Room for one character more than is kept: if that character is set, the name was cut.
	char name[SCRIPT_LINE_NAME_MAX + 2];
	uintptr_t class = word_at(frame->code, FUNCTION_CLASS);
	uintptr_t text = word_at(frame->code, FUNCTION_NAME);
	size_t room = sizeof(name) - 1;
	size_t used = 0;

	(void)number;
	words->line = (uint32_t)frame->at;
	script_line_file(words, characters_of(word_at(frame->code, FUNCTION_FILE)));
	if (class) {
		used = append(name, used, room, characters_of(word_at(class, CLASS_NAME)));
		used = append(name, used, room, "::");
	}
	append(name, used, room, text ? characters_of(text) : "{main}");
	script_line_function(words, name);
	return true;
}

static bool
is_text(uintptr_t text)
{
	return sys_readable(text) && sys_readable(text + TEXT_CHARACTERS);
}

// Returns true if the fields common to all kinds of function can be read.
static bool
is_function(uintptr_t function)
{
	if (!sys_readable(function) || !sys_readable(function + FUNCTION_CLASS))
		return false;
	uintptr_t class = word_at(function, FUNCTION_CLASS);
	uintptr_t name = word_at(function, FUNCTION_NAME);
	return (!name || is_text(name))
		&& (!class || (sys_readable(class + CLASS_NAME) && is_text(word_at(class, CLASS_NAME))));
}

// Returns true if the further fields of a function written in PHP can be read.
static bool
is_code(uintptr_t function)
{
	return sys_readable(function + FUNCTION_LAST_LINE) && is_text(word_at(function, FUNCTION_FILE))
		&& sys_readable(word_at(function, FUNCTION_CODE))
		&& half_at(function, FUNCTION_FIRST_LINE) <= half_at(function, FUNCTION_LAST_LINE);
}

// The innermost frame runs `function`. Returns true if the engine's own functions return this
// function's name and class.
static bool
is_running(uintptr_t function)
{
	uintptr_t class = word_at(function, FUNCTION_CLASS);
	const char *found = state.class(NULL);

	return state.function() == characters_of(word_at(function, FUNCTION_NAME))
		&& (class ? found == characters_of(word_at(class, CLASS_NAME)) : !*found);
}

// The engine's own functions tell the file and line of the innermost function written in PHP.
// Returns true if they return this function's file, and this line.
static bool
is_place(uintptr_t function, uint32_t line)
{
	return state.file() == characters_of(word_at(function, FUNCTION_FILE))
		&& (line == 0 || state.line() == line);
}

// Verifies the frames outwards of a built-in function's frame.
static enum interpreter_verdict
verify_callers(uintptr_t frame)
{
	bool is_first = true;

	for (int i = 0; i < VERIFIED_FRAMES && (frame = word_at(frame, FRAME_PREVIOUS)) != 0; i++) {
		if (!sys_readable(frame) || !sys_readable(frame + FRAME_PREVIOUS))
			return INTERPRETER_DIFFERS;
		uintptr_t function = word_at(frame, FRAME_FUNCTION);
		if (!function)
			continue;
		if (!is_function(function))
			return INTERPRETER_DIFFERS;
		enum function_type type = type_of(function);
		if (type == TYPE_BUILT_IN)
			continue;
		if ((type != TYPE_USER && type != TYPE_EVAL) || !is_code(function)
			|| (is_first && !is_place(function, line_of(frame, function))))
			return INTERPRETER_DIFFERS;
		is_first = false;
	}
	return is_first ? INTERPRETER_UNSURE : INTERPRETER_HOLDS;
}

// Verifies that the frames are laid out as in this version. Decides only while a built-in function
// with a name runs. Then the engine's own functions tell that name, and the caller's file and line.
static SYS_ALIGNS_STACK enum interpreter_verdict
verify(void)
{
	const char *version = state.version(); // NULL until the engine has started
	uintptr_t frame = innermost_frame();

	if (version && !begins_with(version, "Zend Engine v4.2."))
		return INTERPRETER_DIFFERS;
	if (!version || !frame || !sys_readable(frame) || !sys_readable(frame + FRAME_PREVIOUS))
		return INTERPRETER_UNSURE;
	uintptr_t function = word_at(frame, FRAME_FUNCTION);
	if (!function || !is_function(function) || type_of(function) != TYPE_BUILT_IN
		|| word_at(function, FUNCTION_NAME) == 0)
		return INTERPRETER_UNSURE;
	return is_running(function) ? verify_callers(frame) : INTERPRETER_DIFFERS;
}

const struct interpreter php = {
	.language = "php",
	.library = "libphp",
	.loop = "execute_ex",
	.version = "executor_globals",
	.open = open,
	.verify = verify,
	.differs = unknown,
	.read = read_stack,
	.describe = describe,
	.variable = "USE_ZEND_ALLOC=",
	.value = "0",
	.advice = "PHP takes blocks from pools of its own. A stack that mapped memory needed a new "
		"pool; another stack may keep what is in that pool. With USE_ZEND_ALLOC=0 in its "
		"environment each block is seen",
};
