// of glibc
// A program that locks all its memory (mlockall) still runs, and what the library adds to
// it is at most the memory_max of the log's header.

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host.h"

enum { THREADS = 8 };
static pthread_barrier_t all_alive;

static void *
churn(void *unused)
{
	for (int i = 0; i < 10000; i++)
		free(malloc(100));
	pthread_barrier_wait(&all_alive);
	return unused;
}

void
host(void)
{
	pthread_t threads[THREADS];

	if (!host_role()[0])
		return;
	// As many stacks and arenas each time.
	mallopt(M_ARENA_MAX, 1);
	pthread_barrier_init(&all_alive, NULL, THREADS);
	expect(mlockall(MCL_CURRENT | MCL_FUTURE) == 0);
	for (int i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, churn, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%lu\n", (unsigned long)status_kilobytes("VmLck"));
}

void
check(const struct logfile *none)
{
	struct logfile log;

	expect_equal(none->snapshot_count, 0);
	if (run_again("without", false, "without") != 0)
		skip("to lock memory (ulimit -l)");
	expect_equal(run_again("with", true, "with"), 0);
	uint64_t without = strtoull(read_file("without"), NULL, 10);
	uint64_t with = strtoull(read_file("with"), NULL, 10);

	read_log_of(&log, again_pid);
	const char *bound = strstr(log.runs[0].header, " memory_max=");
	expect(bound != NULL);
	uint64_t most = strtoull(bound + strlen(" memory_max="), NULL, 10) / 1024;
	printf("figure: %lu KiB locked beside the program's %lu, at most %lu\n",
		(unsigned long)(with - without), (unsigned long)without, (unsigned long)most);
	expect(with > without && with - without <= most);
}
