// Stacks with lines of the program's own language, as the table fills: whole at first, then without
// the interpreter's functions, then by fewer lines, and in the last part by the interpreter's
// functions, since lines may be without end. Of an import the module's own line remains from an
// eighth of the table on, and no callers are said to be missing. What late stacks have in common they count under; none
// is the hook alone.

#include <string.h>

#include "unit.h"
#include "base/libc.h"
#include "base/loss.h"
#include "stacks/script_line.h"
#include "sources/source.h"

enum { FUNCTIONS = 4, LINES = PMEM_LANGUAGE_FRAMES };

// One of its own for each number, by its innermost line and the hook.
static struct stack
stack_of(uint32_t number)
{
	struct stack stack = {.depth = FUNCTIONS + LINES,
		.frames = {1000 + (number >> 14), 2001, 2002, 2003 + number % 3}};
	uint64_t hash = HASH_SEED;

	for (uint32_t i = 0; i < LINES; i++)
		stack.frames[FUNCTIONS + i] = SCRIPT_LINE_FRAME + ((number + 4097 * i) & 0x3fff);
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

// The step for new stacks: begins[n] 32nds of the table are in use when step n + 1 begins.
static uint32_t
step_now(void)
{
	static const uint32_t begins[] = {12, 16, 24, 28, 30, 31};
	uint32_t step = 0;

	while (step < SOURCE_LAST_STEP && source_count() > begins[step] * (PMEM_SOURCES / 32))
		step++;
	return step;
}

// A stack of an import, with a hook of its own.
static uint32_t
insert_import(uint32_t number, uintptr_t module_line)
{
	struct stack stack = {.depth = 3, .in_import = true,
		.frames = {500000 + number, SCRIPT_LINE_FRAME + number, module_line}};

	stack.hash = stack_hash_of(&stack, stack.depth);
	return source_find(&stack, "malloc", 0);
}

static void
imports_keep_the_modules_line(uint32_t lines)
{
	static uint32_t number;
	const uintptr_t module_line = SCRIPT_LINE_FRAME + 77;
	uint64_t cut = loss_get(LOSS_STACKS_CUT);
	uint32_t source = insert_import(++number, module_line);

	expect_frames(source, (uintptr_t[]){500000 + number, lines == 2 ? SCRIPT_LINE_FRAME + number
		: module_line, module_line}, 1 + lines);
	expect(loss_get(LOSS_STACKS_CUT) == cut);
}

int
main(void)
{
	uint32_t number = 0, seen = 0;
	struct stack stack;

	expect(libc_start());
	while (source_step(0) == 0) {
		expect(step_now() == 0);
		stack = stack_of(number);
		expect_frames(insert(number++), stack.frames, stack.depth);
		if (number % 1000 == 0)
			imports_keep_the_modules_line(source_count() > PMEM_SOURCES / 8 ? 1 : 2);
	}
	imports_keep_the_modules_line(1);
	for (uint32_t step; step = source_step(0), step < SOURCE_LAST_STEP; number++) {
		expect(step == step_now());
		uint32_t lines = source_lines(step);
		uintptr_t kept[1 + LINES];
		stack = stack_of(number);
		kept[0] = stack.frames[0];
		memcpy(kept + 1, stack.frames + FUNCTIONS, lines * sizeof(*kept));
		uint32_t source = insert(number);
		expect_frames(source, kept, 1 + lines);
		expect(lines == (step < SOURCE_CUTS ? LINES : 1));
		seen |= 1u << step;
		// Of another function of the interpreter's, and of a line further outwards that is not kept.
		stack.frames[FUNCTIONS - 1]++;
		stack.frames[FUNCTIONS + LINES - 1] += lines < LINES;
		stack.hash = hash_step(stack.hash, 1);
		expect(source_find(&stack, "malloc", 0) == source);
	}
	expect(step_now() == SOURCE_LAST_STEP);
	expect(seen == (1u << SOURCE_LAST_STEP) - 2);
	uint32_t count = source_count();
	for (uint32_t end = number + 1000; number < end; number++) {
		stack = stack_of(number);
		expect_frames(insert(number), stack.frames, FUNCTIONS);
	}
	// Of each hook three.
	expect(source_count() <= count + 6);
	return 0;
}
