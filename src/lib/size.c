#include "size.h"

uint16_t size_steps[SIZE_STEPS];

__attribute__((noinline)) size_t
size_ask(void *block, size_t bytes, size_t alignment)
{
	size_t usable = real_usable(block, bytes, alignment);
	size_t step = (bytes + SIZE_STEP_BYTES - 1) / SIZE_STEP_BYTES;

	if (real_is_young() || !real.foretells || alignment != 0 || size_is_sample(block))
		return usable;
	// One answer for the whole step.
	if (step > 0 && step < SIZE_STEPS && usable <= UINT16_MAX
		&& usable == real_foretold(step * SIZE_STEP_BYTES)
		&& usable == real_foretold(step * SIZE_STEP_BYTES - SIZE_STEP_BYTES + 1))
		__atomic_store_n(&size_steps[step], (uint16_t)usable, __ATOMIC_RELAXED);
	return usable;
}
