// long
// pmem: -DPMEM_SAMPLE_BYTES=100000
// needs: libjemalloc-dev libmimalloc-dev
// each: -DJEMALLOC -ljemalloc; -DMIMALLOC -lmimalloc
// link: -lm
// Where blocks are sampled, one that jemalloc's xallocx() or mimalloc's mi_expand() resizes where it
// is counts as if it moved, whether it was recorded or not: it may be chosen for its new size alone,
// what is freed leaves nothing behind, and the process's bytes and calls in all are exact.

#include <malloc.h>
#include <math.h>
#include <stdlib.h>

#include "host.h"

enum {
	BLOCKS = 4000,
	// One in five of these is chosen, and four in five of those that are eight times as large.
	SMALL = 20480,
	LARGE = 163840,
	// Both of the same class of sizes.
	FEW = 33000,
	MORE = 39000,
};

#ifdef JEMALLOC
size_t xallocx(void *block, size_t bytes, size_t extra, int flags);

static inline __attribute__((always_inline)) bool
resizes(void *block, size_t bytes)
{
	return xallocx(block, bytes, 0, 0) >= bytes;
}
#else
void *mi_expand(void *block, size_t bytes);

static inline __attribute__((always_inline)) bool
resizes(void *block, size_t bytes)
{
	return mi_expand(block, bytes) == block;
}
#endif

static struct sums {
	unsigned long bytes, allocs, frees;
} sums;

FRAME char *give(size_t bytes) { char *p = malloc(bytes); use(p); return p; }
FRAME void shrink(void *p) { expect(resizes(p, SMALL)); use(p); }
FRAME void grow(void *p) { expect(resizes(p, MORE)); use(p); }
FRAME void visit(void *p) { expect(resizes(p, SMALL)); use(p); }

static void *
resized(size_t bytes, size_t later, void (*how)(void *))
{
	char *block = give(bytes);
	how(block);
	sums.bytes += bytes + later;
	sums.allocs += 2;
	sums.frees++;
	// To its end: what is ours is not the program's.
	size_t usable = malloc_usable_size(block);
	expect(usable >= later);
	block[usable - 1] = 1;
	return block;
}

void
host(void)
{
	bool is_idle = strcmp(host_role(), "nothing") == 0;

	for (int i = 0; i < BLOCKS && !is_idle; i++) {
		resized(LARGE, SMALL, shrink);
		resized(FEW, MORE, grow);
		free(resized(LARGE, SMALL, visit));
		sums.frees++;
		// In vain, and nothing changes.
		char *block = give(100);
		expect(!resizes(block, 1 << 30));
		free(block);
		sums.bytes += 100;
		sums.allocs++;
		sums.frees++;
	}
	// So large that it is chosen: who has counted nothing leaves no log.
	use(malloc(4 << 20));
	FILE *file = fopen(is_idle ? "idle" : "sums", "w");
	fprintf(file, "%lu %lu %lu\n", sums.bytes, sums.allocs, sums.frees);
	fclose(file);
}

// As many bytes as all have, less or more what chance does: five times the standard error.
static void
check_estimate(const struct log_snapshot *snapshot, const char *name, double bytes)
{
	double chance = 1 - exp(-bytes / 100000);
	double expected = bytes * BLOCKS;
	double error = bytes * sqrt(BLOCKS * (1 - chance) / chance);
	const struct log_source *source = log_from(snapshot, name);

	expect(source != NULL);
	printf("figure: %s: %.3f of what it has\n", name, (double)source->counts.live / expected);
	expect(fabs((double)source->counts.live - expected) < 5 * error);
}

void
check(const struct logfile *log)
{
	struct logfile idle;
	const struct log_snapshot *last = log_last(log);
	char *text = read_file("sums");

	expect(sscanf(text, "%lu %lu %lu", &sums.bytes, &sums.allocs, &sums.frees) == 3);
	free(text);
	check_estimate(last, "shrink", SMALL);
	check_estimate(last, "grow", MORE);
	expect(log_from(last, "visit") == NULL && log_from(last, "give") == NULL);
	expect(run_again("nothing", true, NULL) == 0);
	read_log_of(&idle, again_pid);
	const struct log_counts *is = &last->exact;
	const struct log_counts *was = &log_last(&idle)->exact;
	expect_equal(is->alloc - was->alloc, sums.bytes);
	expect_equal(is->allocs - was->allocs, sums.allocs);
	expect_equal(is->frees - was->frees, sums.frees);
}
