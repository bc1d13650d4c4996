// Of two stacks that end alike the second keeps what is its own, and goes on in the first, also
// where others came between; but not through a frame in which another file's code was.

#include "unit.h"
#include "base/libc.h"
#include "elf/module.h"
#include "sources/stack_store.h"

enum { DEPTH = 20, ALIKE = 15, OWN = DEPTH - ALIKE };

int main(void);

// Its inner frames are `from` and on, in no file; the outer ones are code of ours.
static struct stack
stack_from(uintptr_t from)
{
	struct stack stack = {.depth = DEPTH};
	for (uintptr_t i = 0; i < DEPTH; i++)
		stack.frames[i] = i < OWN ? from + i : (uintptr_t)main + i;
	return stack;
}

static const struct frame *
keep(const struct stack *stack)
{
	uint64_t id = 0;
	const struct frame *first = stack_store_keep(stack, &id);

	expect(first && id != 0);
	stack_store_share(first, stack);
	return first;
}

// The frame in this place; all up to there are the stack's.
static const struct frame *
frame_of(const struct frame *first, const struct stack *stack, uint32_t place)
{
	for (uint32_t i = 0;; i++, first++) {
		first = stack_store_frame(first);
		expect(first->pc == stack->frames[i] && first->module == module_find(first->pc));
		if (i == place)
			return first;
	}
}

int
main(void)
{
	expect(libc_start());
	struct stack one = stack_from(1000), other = stack_from(2000), strange = {.depth = 2};
	const struct frame *first = keep(&one);
	for (uintptr_t i = 0; i < 5; i++) {
		strange.frames[1] = 3000 + i;
		keep(&strange);
	}
	const struct frame *second = keep(&other);
	expect(stack_store_frame(second + OWN) == first + OWN);
	expect(frame_of(second, &other, DEPTH - 1) == frame_of(first, &one, DEPTH - 1));

	// Of another file, as it was then.
	struct frame *changed = (struct frame *)(uintptr_t)(first + OWN + 2);
	uint32_t module = changed->module;
	changed->module = module + 1;
	struct stack third = stack_from(4000);
	const struct frame *last = keep(&third);
	expect(frame_of(last, &third, OWN + 2) != changed);
	expect(frame_of(last, &third, DEPTH - 1) == first + DEPTH - 1);
	return 0;
}
