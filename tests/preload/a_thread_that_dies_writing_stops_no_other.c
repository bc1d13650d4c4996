// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_MIN_INTERVAL_MS=0 -DSYS_BY_NAME
// A thread that ends without a word (the exit system call) at any point of a block: others
// go on with the next, behind a header where half a block stands; its descriptor is closed.

#include <pthread.h>
#include <stdlib.h>

#include "host.h"
#include "shim.h"

enum { POINTS = 200 }; // more than a block has
static volatile int point = -1; // how many calls to let pass before the thread dies
static volatile int died;

static long
shim_call(long number, const long *arguments)
{
	if (point < 0 || point-- != 0)
		return 0;
	died++;
	if (number == SYS_write)
		expect(write((int)arguments[0], (void *)arguments[1], (size_t)arguments[2] / 2) > 0);
	__asm__ volatile("" : : : "memory");
	// Not by syscall(), which is ours here.
	long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(SYS_exit, 0);
}

static void *
die_at(void *at)
{
	void *block = malloc(100);
	point = (int)(intptr_t)at;
	free(block);
	point = -1;
	return NULL;
}

void
host(void)
{
	pthread_t thread;

	if (!host_role()[0])
		return;
	int before = descriptors_open();
	for (intptr_t at = 0; at < POINTS; at++) {
		expect(pthread_create(&thread, NULL, die_at, (void *)at) == 0);
		pthread_join(thread, NULL);
		point = -1;
		free(malloc(100));
		expect_equal(descriptors_open(), before);
	}
	expect(died > 20 && died < POINTS);
}

void
check(const struct logfile *log)
{
	struct logfile all;
	char path[64];

	(void)log;
	expect_equal(run_again("threads", true, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	expect_equal(log_read(&all, path, stderr), 0);
	const struct log_block *last = log_last(&all);
	expect(strcmp(last->reason, "exit") == 0);
	expect_equal(all.torn, 1);
	// None that was whole is missing.
	expect_equal((uint64_t)all.block_count, last->number + 1);
	expect(all.headers > 1 && all.run_count == 1);
	// Each thread's own, and what starting it took.
	expect(last->total.allocs >= 2 * POINTS);
	printf("figure: died at all points of a block\n");
}
