// Stacks with lines of the program's own language, as the table fills: whole at first, from half
// full on a hook and the innermost line, and in the last part the interpreter's functions, since
// lines may be without end. What late stacks have in common they count under; none is the hook
// alone.

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
	while (source_frames(0) == PMEM_FRAMES) {
		stack = stack_of(number);
		expect_frames(insert(number++), stack.frames, stack.depth);
	}
	while (source_frames(0) >= SOURCE_FRAMES_LEAST) {
		stack = stack_of(number);
		const uintptr_t line[] = {stack.frames[0], stack.frames[FUNCTIONS]};
		uint32_t source = insert(number);
		expect_frames(source, line, 2);
		// Of other lines further outwards.
		stack.frames[FUNCTIONS + 1]++;
		stack.hash = hash_step(stack.hash, 1);
		expect(source_find(&stack, "malloc", 0) == source);
		number++;
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
