// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME
// While one thread writes a snapshot the next is due, and each block that another allocates or frees finds it
// so: that asks the kernel seldom whether the first still lives. It was five system calls each.

#include <pthread.h>
#include <stdlib.h>

#include "host.h"
#include "shim.h"

enum { PAIRS = 1000, CALLS_MOST = 400 };

static volatile bool holds, done;
static volatile int calls; // of the other thread
static pthread_t writer;
static pthread_barrier_t ready, begun;

static long
shim_call(long number, const long *arguments)
{
	(void)arguments;
	if (!holds)
		return 0;
	if (!pthread_equal(pthread_self(), writer)) {
		calls++;
		return 0;
	}
	if (number != SYS_write)
		return 0;
	pthread_barrier_wait(&begun);
	while (!done)
		usleep(100);
	holds = false;
	return 0;
}

static void *
work(void *unused)
{
	free(malloc(100));
	pthread_barrier_wait(&ready);
	pthread_barrier_wait(&begun);
	for (int i = 0; i < PAIRS; i++)
		free(malloc(100));
	done = true;
	return unused;
}

void
host(void)
{
	pthread_t thread;

	writer = pthread_self();
	pthread_barrier_init(&ready, NULL, 2);
	pthread_barrier_init(&begun, NULL, 2);
	expect(pthread_create(&thread, NULL, work, NULL) == 0);
	pthread_barrier_wait(&ready);
	holds = true;
	free(malloc(100));
	pthread_join(thread, NULL);
	expect(done && calls > 0);
	expect(calls <= CALLS_MOST);
	use(malloc((size_t)calls));
}

void
check(const struct logfile *log)
{
	printf("figure: %d system calls for %d pairs\n",
		(int)log_from(log_last(log), "host")->counts.live, PAIRS);
}
