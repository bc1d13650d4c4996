// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "language/interpreter.h"
#include "language/python_layout.h"

// Indexes of words of 8 bytes in the head of _PyRuntime.
enum {
	OFFSETS_VERSION = 1,
	OFFSETS_FREE_THREADED = 2,
	OFFSETS_INTERPRETER = 3 + 3,
	// Indexes of words within a part of the head. There are parts for a thread, a frame and a code
	// object. The first word of each part is the object's size.
	THREAD_FRAME = 4,
	FRAME_PREVIOUS = 1,
	FRAME_CODE,
	FRAME_INSTRUCTION,
	FRAME_LOCALS,
	FRAME_OWNER,
	CODE_FILE = 1,
	CODE_NAME,
	CODE_QUALIFIED_NAME,
	CODE_LINES,
	CODE_FIRST_LINE,
	CODE_INSTRUCTIONS = CODE_FIRST_LINE + 4,
};

// Number of words of each part of the head, in the order of the parts; `tags` is no part.
struct parts {
	uint8_t interpreter;
	uint8_t thread;
	uint8_t frame;
	uint8_t tags; // struct python_layout's frame_code_tags
};

bool
python_layout_read(struct python_layout *layout, uint32_t version, const char *from)
{
	static const char cookie[] = "xdebugpy";
	// One for each version: 3.13, 3.14 and 3.15.
	static const struct parts all[] = {{13, 9, 6, 0}, {16, 9, 8, 3}, {16, 17, 8, 3}};
	const struct parts *parts = &all[version - PYTHON_3_13];
	const uintptr_t runtime = (uintptr_t)from;
	const size_t thread = OFFSETS_INTERPRETER + parts->interpreter;
	const size_t frame = thread + parts->thread;
	const size_t code = frame + parts->frame;

	if (memcmp(from, cookie, sizeof(cookie) - 1) != 0)
		return false;
#define OFFSET(which) word_at(runtime, (which) * sizeof(uint64_t))
	*layout = python_3_12;
	if (OFFSET(OFFSETS_VERSION) >> 16 != version || OFFSET(OFFSETS_FREE_THREADED) != 0)
		return false;
	layout->thread_frame = OFFSET(thread + THREAD_FRAME);
	layout->c_frame_frame = PYTHON_NO_C_FRAME;
	layout->frame_previous = OFFSET(frame + FRAME_PREVIOUS);
	layout->frame_code = OFFSET(frame + FRAME_CODE);
	layout->frame_code_tags = parts->tags;
	layout->frame_instruction = OFFSET(frame + FRAME_INSTRUCTION);
	layout->frame_owner = OFFSET(frame + FRAME_OWNER);
	layout->code_file = OFFSET(code + CODE_FILE);
	layout->code_name = OFFSET(code + CODE_QUALIFIED_NAME);
	layout->code_lines = OFFSET(code + CODE_LINES);
	layout->code_first_line = OFFSET(code + CODE_FIRST_LINE);
	layout->code_instructions = OFFSET(code + CODE_INSTRUCTIONS);
#undef OFFSET
	// An offset of more than a page is taken as a sign of an unknown layout.
	for (const size_t *at = &layout->thread_frame; at <= &layout->code_instructions; at++) {
		if (*at > 4096 && *at != PYTHON_NO_C_FRAME)
			return false;
	}
	return true;
}
