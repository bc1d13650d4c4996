// long
// What an allocator's own functions promise of a block holds to its last byte, as if
// there were no tag: what a block grows by is zero where that was asked for, in place
// too, and a size foretold is that of the block to be.
// needs: libjemalloc-dev libgoogle-perftools-dev libmimalloc-dev
// each: -DJEMALLOC -ljemalloc; -DTCMALLOC -ltcmalloc; -DMIMALLOC -lmimalloc

#include "names.h"
#include "host.h"

enum { LARGEST = 300000, SIZES = 2500 };

static uint64_t in_place_times, moved_times;

static size_t
size_number(int i)
{
	size_t more = i < 1200 ? 0 : (size_t)(i - 1200) * (LARGEST / (SIZES - 1200));
	return (size_t)i + 1 + more;
}

static void
expect_zero(const unsigned char *block, size_t from, size_t to)
{
	for (; from < to; from++)
		expect(block[from] == 0);
}

#ifdef JEMALLOC
// Who asks for as much as a block is told to have gets no more: a buffer that is always filled to its
// end grows no further.
static void
check_size_of_size(size_t bytes)
{
	void *block = mallocx(bytes, 0);
	size_t usable = sallocx(block, 0);
	void *again = mallocx(usable, 0);

	expect_equal(sallocx(again, 0), usable);
	expect_equal(nallocx(usable, 0), usable);
	expect_equal(malloc_usable_size(block), usable);
	dallocx(again, 0);
	dallocx(block, 0);
}

static void
check_size(size_t bytes)
{
	check_size_of_size(bytes);
	const int alignments[] = {0, MALLOCX_ALIGN(64), MALLOCX_ALIGN(4096)};
	for (int i = 0; i < 3; i++) {
		unsigned char *block = mallocx(bytes, alignments[i] | MALLOCX_ZERO);
		size_t usable = sallocx(block, 0);
		expect_equal(usable, nallocx(bytes, alignments[i]));
		expect_zero(block, 0, bytes);
		memset(block, 0xff, usable);

		size_t grown = xallocx(block, usable + 1, bytes, MALLOCX_ZERO);
		expect_equal(grown, sallocx(block, 0));
		expect(grown >= usable);
		expect_zero(block, usable, grown);
		in_place_times += grown > usable;
		memset(block, 0xff, grown);
		// To less, or not, but it has room for it.
		expect(xallocx(block, bytes, 0, 0) >= bytes);
		expect_equal(xallocx(block, bytes, 0, 0), sallocx(block, 0));

		usable = sallocx(block, 0);
		memset(block, 0xff, usable);
		block = rallocx(block, usable + bytes, MALLOCX_ZERO | alignments[i]);
		expect(block[0] == 0xff && block[usable - 1] == 0xff);
		expect_zero(block, usable, usable + bytes);
		moved_times++;
		sdallocx(block, usable + bytes, alignments[i]);
	}
}
#elif defined(MIMALLOC)
static void *
rezalloc(void *old, size_t bytes, int how)
{
	switch (how) {
	case 0: return mi_rezalloc(old, bytes);
	case 1: return mi_recalloc(old, bytes, 1);
	case 2: return mi_rezalloc_aligned(old, bytes, 64);
	case 3: return mi_recalloc_aligned_at(old, bytes, 1, 64, 8);
	default: return mi_heap_rezalloc(mi_heap_get_default(), old, bytes);
	}
}

static void
check_size(size_t bytes)
{
	unsigned char *block = mi_malloc(bytes);
	expect(mi_usable_size(block) >= mi_good_size(bytes) && mi_good_size(bytes) >= bytes);
	mi_free(block);
	// Once only: what is left in a block that mimalloc moved is not zero without us,
	// either.
	for (size_t more = 1; more < 5000; more *= 7)
		for (int how = 0; how < 5; how++) {
			block = memset(mi_zalloc(bytes), 0xff, bytes);
			unsigned char *grown = rezalloc(block, bytes + more, how);
			in_place_times += grown == block, moved_times += grown != block;
			expect(grown[0] == 0xff && grown[bytes - 1] == 0xff);
			expect_zero(grown, bytes, bytes + more);
			mi_free(grown);
		}
}
#else
static void
check_size(size_t bytes)
{
	void *block = tc_malloc(bytes);
	expect_equal(nallocx(bytes, 0), tc_malloc_size(block));
	expect_equal(tc_nallocx(bytes, 0), malloc_usable_size(block));
	tc_free(block);
	in_place_times++, moved_times++;
}
#endif

void
host(void)
{
	for (int i = 0; i < SIZES; i++)
		check_size(size_number(i));
	expect(in_place_times > 100 && moved_times > 100);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect_equal(log_loss(last, "damaged"), 0);
	for (int i = 0; i < last->entry_count; i++)
		for (int at = 1; at < last->entries[i].depth; at++)
			expect(!strstr(last->entries[i].frames[at], "(check_size+"));
}
