// Each function that jemalloc, tcmalloc and mimalloc have beside malloc()'s family is
// counted to the byte, in a source that begins with its name, and takes back what any
// other gave.
// needs: libjemalloc-dev libgoogle-perftools-dev libmimalloc-dev
// each: -DJEMALLOC -ljemalloc; -DTCMALLOC -ltcmalloc; -DTCMALLOC -ltcmalloc_minimal; -DMIMALLOC -lmimalloc

#include "names.h"
#include "host.h"

enum { ROUNDS = 60, BYTES = 700, GROWN = 3000, KEPT = 7 };

static void
mark(unsigned char *block, size_t bytes)
{
	use(block);
	for (const struct measure *measure = measures; measure->call; measure++)
		expect_equal(measure->call(block), malloc_usable_size(block));
	expect(malloc_usable_size(block) >= bytes);
	memset(block, (int)bytes & 0xff, malloc_usable_size(block));
}

static void
check_mark(const unsigned char *block, size_t had, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		expect(block[i] == (had & 0xff));
}

static void
give_back(void *block, int round, size_t bytes, size_t alignment, bool as_new)
{
	static int next;
	const struct take *take = &takes[next];
	next = takes[next + 1].call ? next + 1 : 0;
	if (round < KEPT)
		return;
	if (take->as_new && !as_new)
		take = takes;
	take->call(block, bytes, alignment);
}

FRAME void
work(void)
{
	for (const struct give *give = gives; give->call; give++)
		for (int round = 0; round < ROUNDS; round++) {
			size_t alignment = give->alignment == ALIGNS ? 16 << round % 8 : give->alignment;
			unsigned char *block = give->call(BYTES, alignment);
			expect(alignment == 0 || (uintptr_t)block % alignment == 0);
			for (int i = 0; give->zeroes && i < BYTES; i++)
				expect(block[i] == 0);
			mark(block, BYTES);
			give_back(block, round, BYTES, alignment, alignment == 0);
		}
	for (const struct resize *resize = resizes; resize->call; resize++)
		for (int round = 0; round < ROUNDS; round++) {
			unsigned char *block = gives->call(BYTES, 0);
			mark(block, BYTES);
			block = resize->call(block, GROWN);
			check_mark(block, BYTES, BYTES);
			mark(block, GROWN);
			give_back(block, round, GROWN, resize->alignment, false);
		}
}

void
host(void)
{
	work();
}

static void
check_name(const struct log_snapshot *last, const char *name, size_t bytes)
{
	char begin[100];
	struct log_counts sum = {0};

	snprintf(begin, sizeof(begin), "libpmem.so(%s+0x0)", name);
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *entry = &last->entries[i];
		if (entry->depth < 3 || !strstr(entry->frames[0], begin) || !strstr(entry->frames[1], "/"))
			continue;
		bool of_work = false;
		for (int at = 1; at < 4 && at < entry->depth; at++)
			of_work = of_work || strstr(entry->frames[at], "(work+");
		if (!of_work || entry->counts.live == 0 || entry->counts.alloc % bytes != 0)
			continue;
		sum.blocks += entry->counts.blocks, sum.live += entry->counts.live;
		sum.allocs += entry->counts.allocs, sum.alloc += entry->counts.alloc;
	}
	if (sum.allocs % ROUNDS != 0 || sum.allocs == 0)
		fprintf(stderr, "%s: %lu allocs\n", name, sum.allocs);
	expect(sum.allocs > 0);
	expect_equal(sum.allocs % ROUNDS, 0);
	uint64_t times = sum.allocs / ROUNDS;
	expect_equal(sum.alloc, times * ROUNDS * bytes);
	expect_equal(sum.blocks, times * KEPT);
	expect_equal(sum.live, times * KEPT * bytes);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	int names = 0;

	for (const struct give *give = gives; give->call; give++)
		if (give->name[0])
			check_name(last, give->name, BYTES), names++;
	for (const struct resize *resize = resizes; resize->call; resize++)
		if (resize->name[0])
			check_name(last, resize->name, GROWN), names++;
	expect_equal(log_loss(last, "untracked_frees"), 0);
	expect_equal(log_loss(last, "damaged"), 0);
	tally("blocks", (uint64_t)names * ROUNDS);
	printf("figure: %d names\n", names);
}
