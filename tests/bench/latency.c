// latency DEPTH THREADS SOURCES PAIRS [PAUSE_MS]: as pairs does, but each pair of free() and
// malloc() is timed by itself. Prints, in ns,
//
//     p50 p99 p99.99 longest
//
// of all threads' pairs; two readings of the clock are in each. The first of each source and
// of each block are not among them, so that the longest is what a snapshot takes, or the
// scheduler, and no first stack.

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "paths.h"
#include "tool.h"

enum {
	KEPT = 64, // blocks that a thread holds
	THREADS_MAX = 64,
};

struct place {
	void **block;
	uint32_t took_ns;
};

static unsigned depth, threads, sources, pause_ms;
static unsigned long pairs;
static uint32_t *took; // ns, pairs of each thread
static pthread_barrier_t ready;

static __attribute__((noinline)) int
pair(unsigned frames, unsigned path, void *argument)
{
	(void)path;
	struct place *place = argument;
	size_t bytes = 32 + ((uintptr_t)place->block / sizeof *place->block & 7) * 16;
	int64_t start = now_ns();
	free(*place->block);
	*place->block = malloc(bytes);
	int64_t end = now_ns();
	if (!*place->block)
		abort();
	*(volatile char *)*place->block = (char)frames;
	place->took_ns = end - start < UINT32_MAX ? (uint32_t)(end - start) : UINT32_MAX;
	return 0;
}

static void *
run(void *argument)
{
	uint32_t *own = argument;
	void *blocks[KEPT] = {0};
	unsigned long early = sources + KEPT;
	unsigned source = 0;
	for (unsigned long i = 0; i < early + pairs; i++) {
		if (i == early) {
			usleep(pause_ms * 1000);
			pthread_barrier_wait(&ready);
		}
		struct place place = {.block = &blocks[i % KEPT]};
		path_even(depth - 1, path_of(source), &place);
		if (i >= early)
			own[i - early] = place.took_ns;
		if (++source == sources)
			source = 0;
	}
	return NULL;
}

static int
smaller(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
	return one < other ? -1 : one > other;
}

int
main(int argc, char **argv)
{
	if (argc < 5 || argc > 6) {
		fprintf(stderr, "usage: latency DEPTH THREADS SOURCES PAIRS [PAUSE_MS]\n");
		return 2;
	}
	depth = number(argv[1], 2, 1000);
	threads = number(argv[2], 1, THREADS_MAX);
	sources = number(argv[3], 1, depth < 5 ? PATHS_FEW : PATHS_MAX);
	pairs = number(argv[4], 1, 100000000);
	pause_ms = argc > 5 ? number(argv[5], 0, 10000) : 0;
	paths_set(sources, 0, pair);

	// Present from the start, so that no page is among the times.
	size_t count = threads * pairs;
	took = mmap(NULL, count * sizeof *took, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (took == MAP_FAILED)
		return 1;
	pthread_barrier_init(&ready, NULL, threads);
	pthread_t ids[THREADS_MAX];
	for (unsigned i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, run, took + i * pairs))
			return 1;
	for (unsigned i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	qsort(took, count, sizeof *took, smaller);
	printf("%u %u %u %u\n", took[count / 2], took[count - 1 - count / 100],
		took[count - 1 - count / 10000], took[count - 1]);
	return 0;
}
