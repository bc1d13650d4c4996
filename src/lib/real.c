#include <errno.h>
#include <string.h>

#include "sys.h"
#include "libc.h"
#include "guard.h"
#include "tag.h"
#include "real.h"

enum {
	BOOT_ALIGNMENT = 16,
};

struct real real;
void (*real_refused)(void);

__thread uintptr_t real_inside;

_Alignas(BOOT_ALIGNMENT) char real_boot_arena[REAL_BOOT_BYTES];
static size_t boot_used; // of it; atomic

void *
real_boot_alloc(size_t alignment, size_t bytes)
{
	if (alignment < BOOT_ALIGNMENT)
		alignment = BOOT_ALIGNMENT;
	if (bytes > REAL_BOOT_BYTES || alignment > REAL_BOOT_BYTES) {
		errno = ENOMEM;
		return NULL;
	}
	size_t room = bytes + alignment + BOOT_ALIGNMENT;
	room -= room % BOOT_ALIGNMENT;
	size_t at = __atomic_fetch_add(&boot_used, room, __ATOMIC_RELAXED);
	if (at > REAL_BOOT_BYTES || room > REAL_BOOT_BYTES - at) {
		__atomic_fetch_sub(&boot_used, room, __ATOMIC_RELAXED);
		errno = ENOMEM;
		return NULL;
	}

	// The size stands in the word before the block.
	uintptr_t block = (uintptr_t)real_boot_arena + at + sizeof(size_t);
	block = (block + alignment - 1) & ~(alignment - 1);
	memcpy((char *)block - sizeof(size_t), &bytes, sizeof(bytes));
	return (void *)block;
}

size_t
real_boot_bytes(const void *block)
{
	size_t bytes;
	memcpy(&bytes, (const char *)block - sizeof(size_t), sizeof(bytes));
	return bytes;
}

// The checks are those that glibc's free() makes before it reports an "invalid pointer" or
// "invalid size", on the word it reads first.
static bool
chunk_plausible(void *block)
{
	uintptr_t at = (uintptr_t)block;
	if (at % (2 * sizeof(size_t)) != 0)
		return false;

	const size_t *header = (const size_t *)block - 2;
	size_t size = header[1] & ~(size_t)REAL_CHUNK_FLAGS;
	if (size < REAL_CHUNK_MIN_BYTES || size % (2 * sizeof(size_t)) != 0 || size > -at)
		return false;
	if (header[1] & REAL_CHUNK_MMAPPED) {
		uintptr_t page = (uintptr_t)sys_page_bytes();
		uintptr_t map = at - 2 * sizeof(size_t) - header[0];
		return ((map | (header[0] + size)) & (page - 1)) == 0;
	}
	return size <= REAL_CHUNK_NEAR_BYTES || sys_readable(at + size - 2 * sizeof(size_t));
}

size_t
real_block_bytes(void *block)
{
	if (!__atomic_load_n(&real.chunk_checks, __ATOMIC_RELAXED))
		return __atomic_load_n(&real.block_bytes, __ATOMIC_RELAXED)(block);
	return chunk_plausible(block) ? real.malloc_usable_size(block) : 0;
}

size_t
real_foretold(size_t bytes)
{
	return real.nallocx ? real.nallocx(bytes, 0) : real.good_size(bytes);
}

__attribute__((noinline)) size_t
real_young_usable(size_t bytes, size_t alignment)
{
	return real.nallocx(bytes, alignment > 1 ? __builtin_ctzl(alignment) : 0);
}

// Tries all sizes in turn. Up to the block's own they lie inside it; what lies beyond belongs to
// a block that was not ours, and may not be there at all.
__attribute__((noinline)) size_t
real_young_block_bytes(void *block)
{
	enum { SURE = 32, LARGEST = 1 << 30 };
	size_t bytes = real_young_usable(TAG_BYTES, 0);
	struct tag tag;

	while (bytes < LARGEST) {
		if (bytes > SURE && !sys_readable((uintptr_t)block + bytes - TAG_BYTES))
			return 0;
		if (tag_read(block, bytes, &tag))
			return bytes;
		bytes = real_young_usable(bytes + 1, 0);
	}
	return 0;
}

__attribute__((noinline)) size_t
real_owned_block_bytes(void *block)
{
	enum { OWNED = 1 };
	uintptr_t outer = real_enter((uintptr_t)__builtin_dwarf_cfa());
	size_t bytes = real.owns(block) == OWNED ? real.malloc_usable_size(block) : 0;
	real_leave(outer);
	return bytes;
}

// tcmalloc makes itself an object when it is asked for the first time, by the program's operator
// new where it has one: then it is to pass, or that would be asked about, and make another.
static __attribute__((noinline)) size_t
ask_young(void *block)
{
	uintptr_t outer = real_enter((uintptr_t)__builtin_dwarf_cfa());
	uintptr_t holder = guard_begin_internal();
	size_t bytes = real.malloc_usable_size(block);
	guard_end_internal(holder);
	real_leave(outer);
	return bytes;
}

static void
refuse(enum real_refusal refusal)
{
	void (*tell)(void) = __atomic_load_n(&real_refused, __ATOMIC_ACQUIRE);

	__atomic_store_n(&real.refusal, refusal, __ATOMIC_RELEASE);
	__atomic_store_n(&real.state, REAL_OFF, __ATOMIC_RELEASE);
	if (tell)
		tell();
}

static size_t
chunk_word(const void *block, int words_before)
{
	size_t word;
	memcpy(&word, (const char *)block - words_before * sizeof(word), sizeof(word));
	return word;
}

// Whether the block bears glibc's header, and not another's that looks like it: that says that
// the chunk before it is in use, or that one is there, of the size that it tells.
static bool
bears_header(void *block)
{
	uintptr_t header = (uintptr_t)block - 2 * sizeof(size_t);
	if (!sys_readable(header) || !chunk_plausible(block))
		return false;
	if (chunk_word(block, 1) & (REAL_CHUNK_PREV_IN_USE | REAL_CHUNK_MMAPPED))
		return true;
	size_t bytes = chunk_word(block, 2);
	void *before = (char *)block - bytes;
	return bytes % (2 * sizeof(size_t)) == 0 && bytes < (uintptr_t)block
		&& sys_readable((uintptr_t)before - sizeof(size_t))
		&& (chunk_word(before, 1) & ~(size_t)REAL_CHUNK_FLAGS) == bytes;
}

// Of glibc's blocks that were looked at so far, those whose header said what
// malloc_usable_size() says; atomic.
static unsigned headers_seen;

static void
note_header(void *block, size_t usable)
{
	enum { ENOUGH = 8 };
	size_t word = chunk_word(block, 1);
	enum real_state unknown = REAL_ON_OTHER;

	if (word & REAL_CHUNK_MMAPPED || !__atomic_load_n(&real.chunk_checks, __ATOMIC_RELAXED))
		return;
	if ((word & ~(size_t)REAL_CHUNK_FLAGS) - sizeof(word) != usable) {
		// Laid out otherwise: each is asked about, for good.
		__atomic_store_n(&headers_seen, ENOUGH, __ATOMIC_RELAXED);
		__atomic_store_n(&real.chunk_checks, false, __ATOMIC_RELAXED);
		return;
	}
	if (__atomic_add_fetch(&headers_seen, 1, __ATOMIC_RELAXED) != ENOUGH)
		return;
	__atomic_store_n(&real.chunk_headers, true, __ATOMIC_RELEASE);
	__atomic_compare_exchange_n(
		&real.state, &unknown, REAL_ON, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

// 0: it is not what a tag needs.
static size_t
usable_of_glibcs(void *block, size_t bytes)
{
	if (real.is_wrapped && !bears_header(block))
		return 0;
	size_t usable = real.malloc_usable_size(block);
	if (usable >= bytes && !real.is_wrapped)
		note_header(block, usable);
	return usable;
}

// Whether blocks begin where the allocator's do, and not behind a header of a wrapper's, beyond
// which the tag would be written: an allocator's own block of a page, or half of one, lies at a
// multiple of that, and a header is smaller. The program's own blocks need not tell.
static bool
begin_as_allocated(void)
{
	static const size_t nearly[] = {1900, 3900};
	for (size_t i = 0; i < sizeof(nearly) / sizeof(*nearly); i++) {
		void *block = real.malloc(nearly[i]);
		if (!block)
			return true;
		size_t usable = ask_young(block);
		if (usable == 0 && real.nallocx)
			usable = real_foretold(nearly[i]);
		bool begins = usable > 0 && (uintptr_t)block % (usable & -usable) == 0;
		real.free(block);
		if (!begins)
			return false;
	}
	return true;
}

static void
grow_up(size_t usable, size_t bytes)
{
	if (usable != real_foretold(bytes))
		__atomic_store_n(&real.foretells, false, __ATOMIC_RELAXED);
	__atomic_store_n(&real.block_bytes, real.owns ? real_owned_block_bytes : real.malloc_usable_size,
		__ATOMIC_RELAXED);
	__atomic_store_n(&real.is_young, false, __ATOMIC_RELAXED);
}

// 0: it is not what a tag needs.
static size_t
usable_of_others(void *block, size_t bytes, size_t alignment)
{
	static bool begins; // no wrapper's header is before a block; atomic

	// No thread tags a block before it knows; several may look.
	if (real.is_wrapped && !__atomic_load_n(&begins, __ATOMIC_ACQUIRE)) {
		uintptr_t holder = guard_begin_internal();
		bool known = begin_as_allocated();
		guard_end_internal(holder);
		if (!known)
			return 0;
		__atomic_store_n(&begins, true, __ATOMIC_RELEASE);
	}
	if (!real_is_young())
		return real.malloc_usable_size(block);
	size_t usable = ask_young(block);
	if (usable == 0)
		return real_young_usable(bytes, alignment);
	grow_up(usable, bytes);
	return usable;
}

__attribute__((noinline)) size_t
real_usable(void *block, size_t bytes, size_t alignment)
{
	bool is_glibcs = real.home.start == real.libc.start;
	size_t usable = is_glibcs ? usable_of_glibcs(block, bytes)
				  : usable_of_others(block, bytes, alignment);
	if (__builtin_expect(usable >= bytes, 1))
		return usable;
	refuse(REAL_TELLS_NO_SIZES);
	return bytes;
}
