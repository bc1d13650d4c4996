#include <errno.h>
#include <execinfo.h>
#include <string.h>

#include "loss.h"
#include "hash.h"
#include "module.h"
#include "stack.h"

enum {
	// Frames of our own between backtrace() and the hook's caller, at most.
	OWN_FRAMES = 10,
};

// Set with release when backtrace() has been called once, and will load nothing more.
static bool ready;

void
stack_start(void)
{
	void *frames[2];
	backtrace(frames, 2);
	__atomic_store_n(&ready, true, __ATOMIC_RELEASE);
}

// The frames from `caller` outwards, as backtrace() sees them. Their number, or 0 when the
// caller is not among them.
static __attribute__((noinline)) uint32_t
take_backtrace(uintptr_t *frames, uint32_t room, uintptr_t caller, bool *cut)
{
	void *taken[PMEM_FRAMES + OWN_FRAMES];
	int kept = errno;
	// backtrace() wants an int, and one frame more than fits shows that there are more.
	uint32_t depth = (uint32_t)backtrace(taken, PMEM_FRAMES + OWN_FRAMES);
	errno = kept;

	uint32_t first = 0;
	while (first < OWN_FRAMES && first < depth && (uintptr_t)taken[first] != caller)
		first++;
	if (first == OWN_FRAMES || first == depth)
		return 0;
	depth -= first;
	*cut = depth > room;
	if (depth > room)
		depth = room;
	memcpy(frames, taken + first, depth * sizeof(*frames));
	return depth;
}

void
stack_capture(struct stack *stack, uintptr_t hook, uintptr_t caller)
{
	uint32_t depth = 0;

	if (__builtin_expect(__atomic_load_n(&module_check_due, __ATOMIC_RELAXED), 0))
		module_check();
	stack->frames[0] = hook;
	stack->cut = false;
	if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
		depth = take_backtrace(stack->frames + 1, PMEM_FRAMES - 1, caller, &stack->cut);
	if (depth == 0) {
		loss_count(LOSS_STACKS_SHORT);
		stack->frames[1] = caller;
		depth = 1;
	}
	stack->depth = depth + 1;

	// From the outermost frame inwards.
	uint64_t hash = HASH_SEED;
	for (uint32_t i = stack->depth; i-- > 0;)
		hash = hash_step(hash, stack->frames[i] ^ module_salt(stack->frames[i]));
	stack->hash = hash;
}
