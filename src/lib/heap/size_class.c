// SPDX-License-Identifier: BSD-2-Clause

#include "base/sys.h"
#include "base/tag.h"
#include "heap/size_class.h"

struct size_class size_class;
uint16_t size_class_steps[SIZE_CLASS_STEPS];

// Trusts jemalloc's predictions, which are documented. Trusts the predictions of other allocators
// in the versions that tests ran on, and in older versions. mimalloc from 1.8.8 and 2.1.8 on is not
// trusted. It can put guard pages behind some blocks.
void
size_class_start(const struct size_class_functions *functions)
{
	size_class.nallocx = (size_t (*)(size_t, int))functions->nallocx;
	size_class.good_size = (size_t (*)(size_t))functions->mi_good_size;
	if (functions->tc_version && size_class.nallocx) {
		int major, minor;
		const char *patch;
		((const char *(*)(int *, int *, const char **))functions->tc_version)(
			&major, &minor, &patch);
		size_class.is_trusted = major == 2 && minor <= 10;
		size_class.has_samples = true;
		size_class.is_all = true;
	} else if (functions->mi_version && size_class.good_size) {
		int version = ((int (*)(void))functions->mi_version)();
		size_class.is_trusted = version < 188 || (version >= 200 && version < 218);
	} else {
		size_class.is_trusted = size_class.nallocx && functions->mallctl;
	}
}

size_t
size_class_bytes(size_t bytes)
{
	return size_class.nallocx ? size_class.nallocx(bytes, 0) : size_class.good_size(bytes);
}

__attribute__((noinline)) size_t
size_class_aligned_bytes(size_t bytes, size_t alignment)
{
	return size_class.nallocx(bytes, alignment > 1 ? __builtin_ctzl(alignment) : 0);
}

// Looks for a tag where the block would end in each size class, from the smallest class on. Up to
// the block's own class, that place is inside the block. If the block has no tag, the search goes
// on beyond the block, where memory may not be mapped. So the kernel is asked.
__attribute__((noinline)) size_t
size_class_size_with_tag(void *block)
{
	enum { SURE = 32, LARGEST = 1 << 30 };
	size_t bytes = size_class_aligned_bytes(TAG_BYTES, 0);
	struct tag tag;

	while (bytes < LARGEST) {
		if (bytes > SURE && !sys_readable((uintptr_t)block + bytes - TAG_BYTES))
			return 0;
		if (tag_read(block, bytes, &tag))
			return bytes;
		bytes = size_class_aligned_bytes(bytes + 1, 0);
	}
	return 0;
}

void
size_class_ends(size_t bytes, size_t usable)
{
	if (usable != size_class_bytes(bytes))
		__atomic_store_n(&size_class.is_trusted, false, __ATOMIC_RELAXED);
	__atomic_store_n(&size_class.is_all, false, __ATOMIC_RELAXED);
}

// Called if a block has another size than predicted. For instance, in debugging allocators the
// usable size is the requested size.
static void
stop_trusting(void)
{
	__atomic_store_n(&size_class.is_trusted, false, __ATOMIC_RELAXED);
	for (size_t step = 0; step < SIZE_CLASS_STEPS; step++)
		__atomic_store_n(&size_class_steps[step], 0, __ATOMIC_RELAXED);
}

void
size_class_learn(size_t bytes, size_t usable)
{
	size_t step = (bytes + SIZE_CLASS_STEP_BYTES - 1) / SIZE_CLASS_STEP_BYTES;

	if (size_class_is_all() || !__atomic_load_n(&size_class.is_trusted, __ATOMIC_RELAXED)
		|| step == 0 || step >= SIZE_CLASS_STEPS)
		return;
	if (usable != size_class_bytes(bytes)) {
		stop_trusting();
		return;
	}
	// The prediction is kept only if it is the same for the step's first and last size.
	if (usable == size_class_bytes(step * SIZE_CLASS_STEP_BYTES)
		&& usable
			== size_class_bytes(step * SIZE_CLASS_STEP_BYTES - SIZE_CLASS_STEP_BYTES + 1))
		__atomic_store_n(&size_class_steps[step], (uint16_t)usable, __ATOMIC_RELAXED);
}
