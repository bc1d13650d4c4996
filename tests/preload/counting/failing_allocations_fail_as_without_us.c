// of a kernel
// of glibc
// Under a memory limit set while running, thousands of allocations fail in several threads:
// NULL and ENOMEM, what could not grow keeps its contents, a failure counts nothing, and
// new threads for whom we cannot map counters are counted exactly in shared ones.

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "host.h"

enum {
	THREADS = 12,
	ROUNDS = 3000,
	STACK = 64 << 10,
};

static uint64_t failures, allocated, freed;
static char stacks[THREADS][STACK] __attribute__((aligned(4096)));

static void
count(uint64_t *what, uint64_t more)
{
	__atomic_fetch_add(what, more, __ATOMIC_RELAXED);
}

static void
failed(void)
{
	expect(errno == ENOMEM);
	count(&failures, 1);
}

static void *
allocate(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		void *aligned = (void *)8;
		errno = 0;
		char *block = malloc(100);
		if (!block) {
			failed();
			continue;
		}
		count(&allocated, 1);
		memset(block, 'x', 100);
		errno = 0;
		if (realloc(block, 256 << 20) == NULL)
			failed();
		expect(block[0] == 'x' && block[99] == 'x');
		errno = 0;
		calloc(4, 256 << 20) == NULL ? failed() : abort();
		expect(posix_memalign(&aligned, 64, 256 << 20) == ENOMEM && aligned == (void *)8);
		free(block);
		count(&freed, 1);
	}
	return NULL;
}

static void
limit_and_run(int resource)
{
	pthread_t threads[THREADS];
	struct rlimit was, low = {1 << 20, RLIM_INFINITY};
	pthread_attr_t attributes;
	int started = 0;

	getrlimit(resource, &was);
	setrlimit(resource, &low);
	allocate(NULL);
	for (int i = 0; i < THREADS; i++) {
		pthread_attr_init(&attributes);
		pthread_attr_setstack(&attributes, stacks[i], STACK);
		started += pthread_create(&threads[started], &attributes, allocate, NULL) == 0;
		pthread_attr_destroy(&attributes);
	}
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	setrlimit(resource, &was);
	expect(started > 0);
}

void
host(void)
{
	// One arena, and room in it for small blocks when nothing can be mapped any more.
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	free(malloc(4 << 20));
	limit_and_run(RLIMIT_AS);
	limit_and_run(RLIMIT_DATA);
	FILE *figures = fopen("figures", "w");
	fprintf(figures, "%lu %lu %lu", failures, allocated, freed);
	fclose(figures);
}

void
check(const struct logfile *log)
{
	uint64_t counts[3];
	const struct log_snapshot *last = log_last(log);
	expect(sscanf(read_file("figures"), "%lu %lu %lu", &counts[0], &counts[1], &counts[2]) == 3);
	expect(counts[0] > 10000 && counts[1] > 50000 && counts[1] == counts[2]);
	expect(log_from(last, "allocate") == NULL);
	expect(last->total.allocs >= counts[1] && last->total.allocs < counts[1] + 100);
	expect(log_loss(last, "slots_shared") > 0);
	expect_equal(log_loss(last, "untracked_frees"), 0);
	printf("figure: %lu allocations failed; %lu done\n", counts[0], counts[1]);
}
