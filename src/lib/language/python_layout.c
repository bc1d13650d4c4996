#include <string.h>

#include "interpreter.h"
#include "python_layout.h"

// The head of _PyRuntime in 3.13: words of 8 bytes.
enum {
	OFFSETS_VERSION = 1,
	OFFSETS_FREE_THREADED = 2,
	OFFSETS_THREAD_FRAME = 3 + 3 + 13 + 4,
	OFFSETS_FRAME_PREVIOUS = 3 + 3 + 13 + 9 + 1,
	OFFSETS_FRAME_CODE,
	OFFSETS_FRAME_INSTRUCTION,
	OFFSETS_FRAME_LOCALS,
	OFFSETS_FRAME_OWNER,
	OFFSETS_CODE_SIZE,
	OFFSETS_CODE_FILE,
	OFFSETS_CODE_NAME,
	OFFSETS_CODE_QUALIFIED_NAME,
	OFFSETS_CODE_LINES,
	OFFSETS_CODE_FIRST_LINE,
	OFFSETS_CODE_INSTRUCTIONS = OFFSETS_CODE_FIRST_LINE + 4,
};

bool
python_layout_read(struct python_layout *layout, const char *from)
{
	static const char cookie[8] = "xdebugpy";
	const uintptr_t runtime = (uintptr_t)from;

	if (memcmp(from, cookie, sizeof(cookie)) != 0)
		return false;
#define OFFSET(which) word_at(runtime, (which) * sizeof(uint64_t))
	*layout = python_3_12;
	if (OFFSET(OFFSETS_VERSION) >> 16 != PYTHON_3_13 || OFFSET(OFFSETS_FREE_THREADED) != 0)
		return false;
	layout->thread_frame = OFFSET(OFFSETS_THREAD_FRAME);
	layout->c_frame_frame = PYTHON_NO_C_FRAME;
	layout->frame_previous = OFFSET(OFFSETS_FRAME_PREVIOUS);
	layout->frame_code = OFFSET(OFFSETS_FRAME_CODE);
	layout->frame_instruction = OFFSET(OFFSETS_FRAME_INSTRUCTION);
	layout->frame_owner = OFFSET(OFFSETS_FRAME_OWNER);
	layout->code_file = OFFSET(OFFSETS_CODE_FILE);
	layout->code_name = OFFSET(OFFSETS_CODE_QUALIFIED_NAME);
	layout->code_lines = OFFSET(OFFSETS_CODE_LINES);
	layout->code_first_line = OFFSET(OFFSETS_CODE_FIRST_LINE);
	layout->code_instructions = OFFSET(OFFSETS_CODE_INSTRUCTIONS);
#undef OFFSET
	// A page's worth: what is no offset is not believed.
	for (const size_t *at = &layout->thread_frame; at <= &layout->code_instructions; at++) {
		if (*at > 4096 && *at != PYTHON_NO_C_FRAME)
			return false;
	}
	return true;
}
