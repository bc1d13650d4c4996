// on each allocator
// pmem_reset(): a snapshot from which on pmem_source_at() counts anew, while totals go on. At any
// moment the sources add up to pmem_live(), and that is what the log says of the same moment;
// frames are those of the log.

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmem.h"
#include "host.h"

enum { THREADS = 8 };
static pthread_barrier_t barrier;

FRAME void keep(void) { use(malloc(1000)); }
FRAME void pass(void) { free(malloc(300)); }

static void *
thread(void *unused)
{
	for (int i = 0; i < 100; i++)
		keep(), pass();
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return unused;
}

// All sources that this function called malloc() in.
static struct pmem_source
of(const char *function, struct pmem_source *all)
{
	struct pmem_source sum = {0};
	struct pmem_source source;
	void *frames[64];
	Dl_info info;

	*all = sum;
	for (long number = 0; number < pmem_sources(); number++) {
		if (pmem_source_at(number, &source, frames, 64) <= 0)
			continue;
		expect(source.live == (long long)(source.alloc - source.free));
		expect(source.blocks == (long long)(source.allocs - source.frees));
		all->live += source.live;
		all->allocs_since += source.allocs_since;
		if (source.depth < 2 || !dladdr(frames[1], &info) || !info.dli_sname
			|| strcmp(info.dli_sname, function) != 0)
			continue;
		expect(dladdr(frames[0], &info) && strcmp(info.dli_sname, "malloc") == 0);
		sum.id = source.id;
		sum.live += source.live, sum.blocks += source.blocks;
		sum.alloc += source.alloc, sum.allocs += source.allocs;
		sum.free += source.free, sum.frees += source.frees;
		sum.alloc_since += source.alloc_since, sum.allocs_since += source.allocs_since;
		sum.free_since += source.free_since, sum.frees_since += source.frees_since;
	}
	return sum;
}

void
host(void)
{
	pthread_t threads[THREADS];
	struct pmem_source all;
	struct pmem_source sum;

	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, thread, NULL) == 0);
	pthread_barrier_wait(&barrier);
	keep();
	sum = of("keep", &all);
	expect_equal((uint64_t)sum.live, 801000);
	expect_equal(sum.allocs, 801), expect_equal(sum.allocs_since, 801);
	expect_equal((uint64_t)all.live, (uint64_t)pmem_live());
	long then = pmem_snapshot("then");
	expect(then >= 0);
	long long live = pmem_live();

	expect(pmem_reset() == then + 1);
	of("keep", &all);
	expect_equal(all.allocs_since, 0);
	keep(), pass();
	sum = of("keep", &all);
	expect_equal(sum.alloc, 802000), expect_equal(sum.alloc_since, 1000);
	expect_equal(sum.allocs, 802), expect_equal(sum.allocs_since, 1);
	expect_equal(sum.free_since + sum.frees_since, 0);
	sum = of("pass", &all);
	expect_equal(sum.free, 801 * 300), expect_equal(sum.free_since, 300);
	expect_equal(sum.frees, 801), expect_equal(sum.frees_since, 1);
	expect_equal((uint64_t)pmem_live(), (uint64_t)live + 1000);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < THREADS; i++)
		expect(pthread_join(threads[i], NULL) == 0);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *then = log->snapshots;

	while (!then->label[0])
		then++;
	expect(strcmp(then->label, "then") == 0 && strcmp(then[1].reason, "reset") == 0);
	expect_equal(log_sum(then, "(keep+").live, 801000);
	expect_equal(log_sum(log_last(log), "(keep+").alloc, 802000);
	expect_equal(log_sum(log_last(log), "(keep+").alloc_more, 1000);
}
