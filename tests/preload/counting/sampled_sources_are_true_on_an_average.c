// long
// pmem: -DPMEM_SAMPLE_BYTES=16384 -DPMEM_SAMPLE_SEED=1 -DPMEM_FRAMES=256 -DPMEM_LOG_HOURS=0 -DPMEM_CHURN_THRESH=(1UL<<40)
// link: -lm
// Of 200 rounds, each with sources of its own, the mean of what a source is estimated to have lies
// within its error of what it has: in bytes and calls, allocated, freed and live, with small
// blocks, with large ones, and with both.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { ROUNDS = 200, SMALL = 600, LARGE = 30, MIXED = 300 };

static void *volatile kept;

static size_t small_size(int i) { return 8 + (size_t)i % 5 * 16; }
static size_t large_size(int i) { return 20000 + (size_t)i * 1000; }
static size_t mixed_size(int i) { return i % 20 == 0 ? 30000 : (size_t)i * 7 % 1500; }

// Every third block is kept.
#define WORK(name, count) \
	FRAME void name(void) \
	{ \
		for (int i = 0; i < count; i++) { \
			kept = malloc(name##_size(i)); \
			if (i % 3) \
				free(kept); \
		} \
	}
WORK(small, SMALL)
WORK(large, LARGE)
WORK(mixed, MIXED)

// Its depth makes each round's stacks others.
FRAME void
turn(int round)
{
	if (round > 0) {
		turn(round - 1);
	} else {
		small();
		large();
		mixed();
	}
	use(NULL);
}

void
host(void)
{
	for (int round = 0; round < ROUNDS; round++)
		turn(round);
}

// What one number of one source had in each round.
struct estimates {
	double sum, squares;
};

static void
add(struct estimates *to, uint64_t number)
{
	to->sum += (double)number;
	to->squares += (double)number * (double)number;
}

// Rounds in which nothing was chosen are none of the log's entries, and count as 0.
static void
expect_mean(const struct estimates *of, double should)
{
	double mean = of->sum / ROUNDS;
	double error = sqrt((of->squares / ROUNDS - mean * mean) / ROUNDS);
	printf("%.0f, give or take %.0f: %.0f\n", should, error, mean);
	expect(error > 0 && error < should / 5);
	expect(fabs(mean - should) < 3.5 * error);
}

static void
check_source(const struct log_snapshot *last, const char *name, int count,
	size_t (*size)(int))
{
	struct estimates alloc = {0}, allocs = {0}, free = {0}, frees = {0}, live = {0}, blocks = {0};
	double bytes = 0, bytes_kept = 0;
	char text[32];

	snprintf(text, sizeof(text), "(%s+", name);
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *entry = &last->entries[i];
		if (entry->depth < 2 || !strstr(entry->frames[1], text))
			continue;
		add(&alloc, entry->counts.alloc);
		add(&allocs, entry->counts.allocs);
		add(&free, entry->counts.free);
		add(&frees, entry->counts.frees);
		add(&live, entry->counts.live);
		add(&blocks, entry->counts.blocks);
	}
	for (int i = 0; i < count; i++) {
		bytes += (double)size(i);
		bytes_kept += i % 3 ? 0 : (double)size(i);
	}
	expect_mean(&alloc, bytes);
	expect_mean(&free, bytes - bytes_kept);
	expect_mean(&live, bytes_kept);
	expect_mean(&allocs, count);
	expect_mean(&blocks, (count + 2) / 3);
	expect_mean(&frees, count - (count + 2) / 3);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	check_source(last, "small", SMALL, small_size);
	check_source(last, "large", LARGE, large_size);
	check_source(last, "mixed", MIXED, mixed_size);
	expect_equal(last->sampled, 16384);
}
