// Stacks with lines of the program's own language, as the table fills: whole at first, then the hook and
// ever fewer of the lines, and in the last part the interpreter's functions, since lines may be without
// end. What late stacks have in common they count under; none is the hook alone.

#include <string.h>

#include "unit.h"
#include "base/libc.h"
#include "stacks/script_line.h"
#include "sources/source.h"

enum { FUNCTIONS = 4, LINES = 3 };

// One of its own for each number: by its lines, and in the hook where it has no other.
static struct stack
stack_of(uint32_t number)
{
	struct stack stack = {.depth = FUNCTIONS + LINES,
		.frames = {1000 + (number >> 14), 2001, 2002, 2003 + number % 3,
			SCRIPT_LINE_FRAME + (number & 0x3fff),
			SCRIPT_LINE_FRAME + 0x4000 + number % 0x3fff, SCRIPT_LINE_FRAME + 7}};
	uint64_t hash = HASH_SEED;

	for (uint32_t i = 0; i < stack.depth; i++)
		hash = hash_step(hash, stack.frames[i]);
	stack.hash = hash;
	return stack;
}

static uint32_t
insert(uint32_t number)
{
	struct stack stack = stack_of(number);
	uint32_t source = source_find(&stack, "malloc", 0);

	expect(source != SOURCE_OTHER);
	return source;
}

// The frames of a source.
static void
expect_frames(uint32_t number, const uintptr_t *frames, uint32_t depth)
{
	const struct source *source = source_get(number);
	const struct frame *frame = source->frames;

	expect(source->depth == depth);
	for (uint32_t i = 0; i < depth; i++) {
		frame = stack_store_frame(frame);
		expect(frame->pc == frames[i]);
		frame++;
	}
}

int
main(void)
{
	uint32_t number = 0;
	struct stack stack;

	expect(libc_start());
	while (source_count() < PMEM_SOURCES / 8) {
		stack = stack_of(number);
		expect_frames(insert(number++), stack.frames, stack.depth);
	}
	// Where the table is so full, of 32 parts, so many lines are left.
	static const struct {
		uint32_t parts, lines;
	} until[] = {{8, 3}, {16, 2}, {32, 1}};
	for (int i = 0; i < 3; i++)
		while (source_count() < PMEM_SOURCES / 32 * until[i].parts
				&& source_frames(0) >= SOURCE_FRAMES_LEAST) {
			stack = stack_of(number);
			uintptr_t left[] = {stack.frames[0], stack.frames[FUNCTIONS], stack.frames[FUNCTIONS + 1],
				stack.frames[FUNCTIONS + 2]};
			uint32_t source = insert(number++);
			expect_frames(source, left, 1 + until[i].lines);
			// Of another function of the interpreter.
			stack.frames[2]++;
			stack.hash = hash_step(stack.hash, 1);
			expect(source_find(&stack, "malloc", 0) == source);
		}
	uint32_t count = source_count();
	for (uint32_t end = number + 1000; number < end; number++) {
		stack = stack_of(number);
		expect_frames(insert(number), stack.frames, FUNCTIONS);
	}
	// Of each hook three.
	expect(source_count() <= count + 6);
	return 0;
}
