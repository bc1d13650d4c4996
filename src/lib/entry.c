#include <string.h>
#include <unistd.h>

#include "next.h"
#include "module.h"
#include "entry.h"

// Two threads find the same. Where the loader's list cannot be visited what was known stays.
static __attribute__((noinline)) void
find(struct entry *entry)
{
	struct next_pair found;
	uint64_t news = module_news_now();

	if (!next_find(&entry->name, &found, 1))
		return;
	__atomic_store_n(&entry->next, found.next.start, __ATOMIC_RELAXED);
	__atomic_store_n(&entry->news, news, __ATOMIC_RELEASE);
}

bool
entry_begin(struct entry *entry, const struct call *call, uintptr_t *next)
{
	bool on = is_call_on(call);
	if (__builtin_expect(
		    __atomic_load_n(&entry->news, __ATOMIC_ACQUIRE) != module_news_now(), 0))
		find(entry);
	*next = __atomic_load_n(&entry->next, __ATOMIC_RELAXED);
	return on && real_owns_code(*next);
}

// What is not malloc() need not give blocks of the sizes that malloc() gives.
static struct call
asking(const struct call *call)
{
	struct call copy = *call;
	if (copy.alignment == 0)
		copy.alignment = SIZE_RESIZED;
	return copy;
}

void *
entry_recorded(void *block, size_t bytes, const struct call *call)
{
	struct call copy = asking(call);
	return recorded(block, bytes, &copy);
}

void *
entry_resized(const struct taken *taken, void *block, size_t bytes, const struct call *call)
{
	struct call copy = asking(call);
	return record_resized(taken, block, bytes, &copy);
}

void
entry_take(void *block, struct taken *taken)
{
	record_take(block, taken);
}

void
entry_gone(const struct taken *taken, const struct call *call)
{
	record_gone(taken, call->at.frame.sp);
}

void
entry_zero_ours(void *block, const struct taken *taken)
{
	size_t usable = real.malloc_usable_size(block);
	size_t end = taken->usable < usable ? taken->usable : usable;

	if (taken->was >= TAG_MENDED && taken->tag.usable < end)
		memset((char *)block + taken->tag.usable, 0, end - taken->tag.usable);
}

void *
entry_grown(void *old, size_t bytes, size_t alignment)
{
	size_t had = malloc_usable_size(old);
	void *block = realloc(old, bytes);

	if (block && bytes > had)
		memset((char *)block + had, 0, bytes - had);
	if (!block || alignment == 0 || (uintptr_t)block % alignment == 0)
		return block;
	void *aligned = aligned_alloc(alignment, bytes);
	if (aligned)
		memcpy(aligned, block, bytes);
	free(block);
	return aligned;
}

size_t
entry_page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

size_t
entry_pages(size_t bytes)
{
	return (bytes + entry_page() - 1) & -entry_page();
}

size_t
entry_pages_wanted(size_t bytes)
{
	return bytes > BLOCK_BYTES_MAX - entry_page() || real_is_young() ? SIZE_MAX : bytes;
}
