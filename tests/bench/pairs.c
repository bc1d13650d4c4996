// pairs DEPTH THREADS SOURCES PAIRS [VARYING [PAUSE_MS]]: each thread frees a block and
// allocates one of the same size PAIRS times, from SOURCES call stacks in turn, DEPTH frames
// below its loop; they differ in the VARYING innermost (paths.h). Prints
//
//     wall_ns cpu_ns
//
// a pair, as a thread sees them, the mean of all threads. (The process's CPU clock would have
// a profiler's own threads in it, but is as coarse as the scheduler's tick.) The clock starts when each thread has been at each
// source, and 100 MiB went through the heap at once: what a profiler does at the beginning (new
// stacks; pmem's burst of blocks) is in the whole programs' figures. The pause is before the
// clock starts, for a profiler with a second process: heaptrack's reads debug information for
// a fifth of a second at first, while its pipe fills and the program waits.

#include <pthread.h>
#include <unistd.h>

#include "paths.h"
#include "tool.h"

enum {
	KEPT = 64, // blocks that a thread holds
	THREADS_MAX = 1024,
	CHURN_MIB = 100, // allocated + freed,
};

struct thread {
	pthread_t id;
	void *blocks[KEPT];
	double wall_ns, cpu_ns;
};

// Built with -DPAIRS_NEW a pair is one of C++'s operators.
#ifdef PAIRS_NEW
extern void *_Znwm(size_t bytes);
extern void _ZdlPv(void *block);
#define give_back _ZdlPv
#define take _Znwm
#else
#define give_back free
#define take malloc
#endif

static unsigned depth, threads, sources;
static unsigned long pairs;
static pthread_barrier_t ready, started;

static __attribute__((noinline)) int
pair(unsigned frames, unsigned path, void *argument)
{
	(void)path;
	void **block = argument;
	// By place, so that what is freed was as large.
	size_t bytes = 32 + ((uintptr_t)block / sizeof *block & 7) * 16;
	give_back(*block);
	*block = take(bytes);
	if (!*block)
		abort();
	*(volatile char *)*block = (char)frames;
	return 0;
}

// One loop for both, since a second call site would make of each path two.
static void *
run(void *argument)
{
	struct thread *self = argument;
	unsigned long early = sources + KEPT;
	int64_t start = 0, cpu = 0;
	unsigned source = 0;
	for (unsigned long i = 0; i < early + pairs; i++) {
		if (i == early) {
			pthread_barrier_wait(&ready);
			pthread_barrier_wait(&started);
			start = clock_ns(CLOCK_MONOTONIC);
			cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		}
		path_even(depth - 1, path_of(source), &self->blocks[i % KEPT]);
		if (++source == sources)
			source = 0;
	}
	self->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	self->wall_ns = clock_ns(CLOCK_MONOTONIC) - start;
	return NULL;
}

int
main(int argc, char **argv)
{
	if (argc < 5 || argc > 7) {
		fprintf(stderr, "usage: pairs DEPTH THREADS SOURCES PAIRS [VARYING [PAUSE_MS]]\n");
		return 2;
	}
	depth = number(argv[1], 2, 1000);
	threads = number(argv[2], 1, THREADS_MAX);
	sources = number(argv[3], 1, depth < 5 ? PATHS_FEW : PATHS_MAX);
	pairs = number(argv[4], 1, UINT32_MAX);
	unsigned varying = argc > 5 ? number(argv[5], 0, depth) : 0;
	if (varying && varying < 4 && sources > PATHS_FEW)
		return 2;
	paths_set(sources, varying, pair);

	static struct thread all[THREADS_MAX];
	pthread_barrier_init(&ready, NULL, threads + 1);
	pthread_barrier_init(&started, NULL, threads + 1);
	for (unsigned i = 0; i < threads; i++)
		if (pthread_create(&all[i].id, NULL, run, &all[i]))
			return 1;
	pthread_barrier_wait(&ready);
	for (int i = 0; i < CHURN_MIB / 2; i++)
		free(malloc(1 << 20));
	if (argc == 7)
		usleep(number(argv[6], 0, 10000) * 1000);
	pthread_barrier_wait(&started);

	double wall = 0, cpu = 0;
	for (unsigned i = 0; i < threads; i++) {
		pthread_join(all[i].id, NULL);
		wall += all[i].wall_ns / threads;
		cpu += all[i].cpu_ns / threads;
	}
	printf("%.2f %.2f\n", wall / pairs, cpu / pairs);
	return 0;
}
