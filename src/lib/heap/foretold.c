// SPDX-License-Identifier: BSD-2-Clause

#include "base/sys.h"
#include "base/tag.h"
#include "heap/foretold.h"

struct foretold foretold;
uint16_t foretold_steps[FORETOLD_STEPS];

// Whose word is taken: jemalloc's, which is documented; that of the versions of the others which
// tests ran on, and of older ones. mimalloc from 1.8.8 and 2.1.8 on can put guard pages behind
// some blocks.
void
foretold_start(const struct foretold_functions *functions)
{
	foretold.nallocx = (size_t (*)(size_t, int))functions->nallocx;
	foretold.good_size = (size_t (*)(size_t))functions->mi_good_size;
	if (functions->tc_version && foretold.nallocx) {
		int major, minor;
		const char *patch;
		((const char *(*)(int *, int *, const char **))functions->tc_version)(
			&major, &minor, &patch);
		foretold.is_trusted = major == 2 && minor <= 10;
		foretold.has_samples = true;
		foretold.is_all = true;
	} else if (functions->mi_version && foretold.good_size) {
		int version = ((int (*)(void))functions->mi_version)();
		foretold.is_trusted = version < 188 || (version >= 200 && version < 218);
	} else {
		foretold.is_trusted = foretold.nallocx && functions->mallctl;
	}
}

size_t
foretold_bytes(size_t bytes)
{
	return foretold.nallocx ? foretold.nallocx(bytes, 0) : foretold.good_size(bytes);
}

__attribute__((noinline)) size_t
foretold_aligned_bytes(size_t bytes, size_t alignment)
{
	return foretold.nallocx(bytes, alignment > 1 ? __builtin_ctzl(alignment) : 0);
}

// Tries all sizes in turn. Up to the block's own they lie inside it; what lies beyond belongs to
// a block that was not ours, and may not be there at all.
__attribute__((noinline)) size_t
foretold_size_with_tag(void *block)
{
	enum { SURE = 32, LARGEST = 1 << 30 };
	size_t bytes = foretold_aligned_bytes(TAG_BYTES, 0);
	struct tag tag;

	while (bytes < LARGEST) {
		if (bytes > SURE && !sys_readable((uintptr_t)block + bytes - TAG_BYTES))
			return 0;
		if (tag_read(block, bytes, &tag))
			return bytes;
		bytes = foretold_aligned_bytes(bytes + 1, 0);
	}
	return 0;
}

void
foretold_ends(size_t bytes, size_t usable)
{
	if (usable != foretold_bytes(bytes))
		__atomic_store_n(&foretold.is_trusted, false, __ATOMIC_RELAXED);
	__atomic_store_n(&foretold.is_all, false, __ATOMIC_RELAXED);
}

// Debugging allocators tell what was asked for.
static void
stop_trusting(void)
{
	__atomic_store_n(&foretold.is_trusted, false, __ATOMIC_RELAXED);
	for (size_t step = 0; step < FORETOLD_STEPS; step++)
		__atomic_store_n(&foretold_steps[step], 0, __ATOMIC_RELAXED);
}

void
foretold_learn(size_t bytes, size_t usable)
{
	size_t step = (bytes + FORETOLD_STEP_BYTES - 1) / FORETOLD_STEP_BYTES;

	if (foretold_is_all() || !__atomic_load_n(&foretold.is_trusted, __ATOMIC_RELAXED)
		|| step == 0 || step >= FORETOLD_STEPS)
		return;
	if (usable != foretold_bytes(bytes)) {
		stop_trusting();
		return;
	}
	// One answer for the whole step.
	if (usable == foretold_bytes(step * FORETOLD_STEP_BYTES)
		&& usable == foretold_bytes(step * FORETOLD_STEP_BYTES - FORETOLD_STEP_BYTES + 1))
		__atomic_store_n(&foretold_steps[step], (uint16_t)usable, __ATOMIC_RELAXED);
}
