// of a kernel
// on each allocator
// Where the allocator beneath has no memory to give, to threads that it has served before,
// NULL and ENOMEM come back, what could not grow keeps its contents and its tag, and only
// what was given is counted.

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "host.h"

enum { THREADS = 4, ROUNDS = 500, SMALL = 100 };

#define LARGE ((size_t)256 << 20)

static uint64_t failures, given;
static pthread_barrier_t served, limited;

FRAME char *small(void) { char *p = malloc(SMALL); use(p); return p; }
FRAME void *grown(void *p) { p = realloc(p, LARGE); use(p); return p; }

static void
expect_failure(const void *block)
{
	expect(block == NULL && errno == ENOMEM);
	errno = 0;
	__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

static void
fail_each(char *block)
{
	void *aligned = (void *)8;

	errno = 0;
	expect_failure(grown(block));
	expect(block[0] == 'x' && block[SMALL - 1] == 'x');
	expect_failure(malloc(LARGE));
	expect_failure(calloc(4, LARGE));
	expect_failure(memalign(64, LARGE));
	expect_failure(aligned_alloc(64, LARGE));
	expect_failure(valloc(LARGE));
	expect_failure(pvalloc(LARGE));
	expect_failure(reallocarray(NULL, 2, LARGE));
	expect(posix_memalign(&aligned, 64, LARGE) == ENOMEM);
}

// The first block is kept.
static void *
work(void *unused)
{
	for (int i = 0; i <= ROUNDS; i++) {
		char *block = small();
		if (i == 0) {
			pthread_barrier_wait(&served);
			pthread_barrier_wait(&limited);
		} else if (block) {
			__atomic_fetch_add(&given, 1, __ATOMIC_RELAXED);
			memset(block, 'x', SMALL);
			fail_each(block);
			free(block);
		}
	}
	return unused;
}

void
host(void)
{
	pthread_t threads[THREADS];
	struct rlimit was, low = {1 << 20, RLIM_INFINITY};

	pthread_barrier_init(&served, NULL, THREADS + 1);
	pthread_barrier_init(&limited, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, work, NULL) == 0);
	pthread_barrier_wait(&served);
	getrlimit(RLIMIT_AS, &was);
	setrlimit(RLIMIT_AS, &low);
	pthread_barrier_wait(&limited);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	setrlimit(RLIMIT_AS, &was);
	FILE *figures = fopen("figures", "w");
	fprintf(figures, "%lu %lu", failures, given);
	fclose(figures);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_source *source = log_from(last, "small");

	expect(sscanf(read_file("figures"), "%lu %lu", &failures, &given) == 2);
	expect(given > 0 && failures == 8 * given);
	expect_equal(source->counts.live, THREADS * SMALL);
	expect_equal(source->counts.allocs, given + THREADS);
	expect(log_from(last, "fail_each") == NULL && log_from(last, "grown") == NULL);
	expect(log_lost_nothing(last));
	printf("figure: %lu allocations failed, %lu done\n", failures, given);
}
