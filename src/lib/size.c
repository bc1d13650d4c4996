#include "size.h"

uint16_t size_steps[SIZE_STEPS];

// Debugging allocators tell what was asked for.
static void
stop_foretelling(void)
{
	__atomic_store_n(&real.foretells, false, __ATOMIC_RELAXED);
	for (size_t step = 0; step < SIZE_STEPS; step++)
		__atomic_store_n(&size_steps[step], 0, __ATOMIC_RELAXED);
}

__attribute__((noinline)) size_t
size_ask(void *block, size_t bytes, size_t alignment)
{
	size_t usable = real_usable(block, bytes, alignment);
	size_t step = (bytes + SIZE_STEP_BYTES - 1) / SIZE_STEP_BYTES;

	if (real_is_young() || !__atomic_load_n(&real.foretells, __ATOMIC_RELAXED)
		|| alignment != 0 || step == 0 || step >= SIZE_STEPS || size_is_sample(block))
		return usable;
	if (usable != real_foretold(bytes)) {
		stop_foretelling();
		return usable;
	}
	// One answer for the whole step.
	if (usable == real_foretold(step * SIZE_STEP_BYTES)
		&& usable == real_foretold(step * SIZE_STEP_BYTES - SIZE_STEP_BYTES + 1))
		__atomic_store_n(&size_steps[step], (uint16_t)usable, __ATOMIC_RELAXED);
	return usable;
}
