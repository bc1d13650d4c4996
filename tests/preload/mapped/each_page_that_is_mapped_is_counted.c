// of a kernel
// on each allocator
// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// Whatever a program maps, unmaps, cuts, moves, protects and maps over, at random and in several
// threads: what the log says is mapped is what it can access, to the byte, by whoever mapped it; and
// what malloc() maps for itself is not in it.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host.h"

enum { PAGE = 4096, PAGES = 256, THREADS = 4, STEPS = 4000, ACCESSIBLE = PROT_READ | PROT_WRITE };

enum state { NONE, RESERVED, OPEN, OTHERS };

struct area {
	char *at;
	enum state pages[PAGES];
	uint64_t random;
};

static unsigned
below(struct area *area, unsigned end)
{
	area->random ^= area->random << 13;
	area->random ^= area->random >> 7;
	area->random ^= area->random << 17;
	return (unsigned)(area->random >> 20) % end;
}

static void
map(char *at, size_t bytes, int protection, int kind)
{
	void *got = mmap(at, bytes, protection, kind | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (got != at)
		abort();
}

__attribute__((noinline)) void
by_private(char *at, size_t bytes, int protection)
{
	map(at, bytes, protection, MAP_PRIVATE);
}

// Of the pages that are in one state from `from` on, at most so many.
static unsigned
alike(const struct area *area, unsigned from, unsigned most)
{
	unsigned count = 1;
	while (count < most && from + count < PAGES && area->pages[from + count] == area->pages[from])
		count++;
	return count;
}

static bool
is_mapped(const struct area *area, unsigned page)
{
	unsigned char resident;
	return mincore(area->at + page * PAGE, PAGE, &resident) == 0;
}

static bool
is_private(const struct area *area, unsigned page)
{
	return area->pages[page] == OPEN || area->pages[page] == RESERVED;
}

// Moves pages to where others are, and may make them more or fewer.
static void
move(struct area *area, unsigned from, unsigned count)
{
	unsigned into = below(area, 2) ? count : 1 + below(area, 20);
	unsigned to = below(area, PAGES - 20);
	enum state old[20];
	if (to + into > from && to < from + count)
		return;
	memcpy(old, area->pages + from, count * sizeof(*old));
	// From Linux 6.17 on several mappings may move at a time, each as it was. A call that is
	// refused may have unmapped the target.
	bool is_done = mremap(area->at + from * PAGE, count * PAGE, into * PAGE,
		MREMAP_MAYMOVE | MREMAP_FIXED, area->at + to * PAGE) != MAP_FAILED;
	for (unsigned i = 0; i < count; i++)
		area->pages[from + i] = !is_done && is_mapped(area, from + i) ? old[i] : NONE;
	for (unsigned i = 0; i < into; i++) {
		if (is_done)
			area->pages[to + i] = old[i < count ? i : count - 1];
		else if (!is_mapped(area, to + i))
			area->pages[to + i] = NONE;
	}
}

static void
step(struct area *area)
{
	unsigned from = below(area, PAGES);
	unsigned count = 1 + below(area, 20);
	if (from + count > PAGES)
		count = PAGES - from;
	char *at = area->at + from * PAGE;
	enum state state = OPEN;

	switch (below(area, 7)) {
	case 0:
		by_private(at, count * PAGE, ACCESSIBLE);
		break;
	case 1:
		by_private(at, count * PAGE, PROT_NONE);
		state = RESERVED;
		break;
	case 2:
		map(at, count * PAGE, ACCESSIBLE, MAP_SHARED);
		state = OTHERS;
		break;
	case 3:
		munmap(at, count * PAGE);
		state = NONE;
		break;
	case 4:
	case 5:
		for (count = 0; from + count < PAGES && count < 20 && is_private(area, from + count);)
			count++;
		if (count > 0)
			move(area, from, 1 + below(area, count));
		return;
	default:
		count = alike(area, from, count);
		if (area->pages[from] == NONE || area->pages[from] == OTHERS)
			return;
		state = below(area, 2) ? OPEN : RESERVED;
		if (mprotect(at, count * PAGE, state == OPEN ? ACCESSIBLE : PROT_NONE) != 0)
			abort();
	}
	for (unsigned i = 0; i < count; i++)
		area->pages[from + i] = state;
}

static uint64_t mapped[THREADS]; // bytes, in the end
static pthread_barrier_t barrier;

void *work(void *which);
void *
work(void *which)
{
	uint64_t number = (uint64_t)which;
	struct area area = {.random = 88172645463325252u + number};

	area.at = mmap(NULL, PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	for (unsigned i = 0; i < PAGES; i++)
		area.pages[i] = RESERVED;
	// Nobody else may map anything into the holes: from here on the allocator has what it needs.
	free(malloc(100));
	pthread_barrier_wait(&barrier);
	for (unsigned i = 0; i < STEPS; i++) {
		step(&area);
		free(malloc(100));
	}
	pthread_barrier_wait(&barrier);
	for (unsigned i = 0; i < PAGES; i++) {
		if (is_mapped(&area, i) != (area.pages[i] != NONE))
			abort();
		mapped[number] += area.pages[i] == OPEN ? PAGE : 0;
	}
	return NULL;
}

void
host(void)
{
	pthread_t threads[THREADS];
	uint64_t sum = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (uint64_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (uint64_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += mapped[i];
	}
	leave_number("sum", sum);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t sum = left_number("sum");

	expect(last && sum > 0);
	// tcmalloc has its stacks from a library, which maps pages for itself.
	for (int i = 0; i < last->map_count; i++) {
		if (last->maps[i].depth > 1 && strstr(last->maps[i].frames[1], "libunwind"))
			sum += last->maps[i].counts.live;
	}
	expect_equal(last->mapped.live, sum);
	expect_equal(log_loss(last, "mappings_missed"), 0);
	expect(log_mapped_by(last, "work") != NULL);
	expect(log->snapshot_count > 10);
}
