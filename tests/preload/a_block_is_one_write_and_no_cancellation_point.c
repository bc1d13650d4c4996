// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_MIN_INTERVAL_MS=0
// A block is one write(2), and a handful of other calls, however many there were before. A
// thread that is to be cancelled is not cancelled in it, but at its own next such point.

#include <pthread.h>
#include <stdlib.h>

#include "host.h"
#include "shim.h"

static volatile int opens, writes, calls;
static volatile int after;

static long
shim_call(long number, const long *arguments)
{
	(void)arguments;
	opens += number == SYS_openat;
	writes += number == SYS_write;
	calls++;
	return 0;
}

FRAME void *
go_on(void *unused)
{
	pthread_cancel(pthread_self());
	for (int i = 0; i < 100; i++) {
		free(malloc(100));
		after++;
	}
	pthread_testcancel();
	after = -1;
	return unused;
}

void
host(void)
{
	pthread_t thread;
	void *result;
	int most = 0;

	for (int i = 0; i < 1000; i++) {
		opens = writes = calls = 0;
		void *block = malloc(100);
		expect_equal(opens, 1);
		expect_equal(writes, 1);
		expect(calls <= 40);
		most = calls > most ? calls : most;
		free(block);
	}
	printf("figure: %d system calls a block\n", most);
	fflush(stdout);
	expect(pthread_create(&thread, NULL, go_on, NULL) == 0 && pthread_join(thread, &result) == 0);
	expect(result == PTHREAD_CANCELED);
	expect_equal(after, 100);
}

void
check(const struct logfile *log)
{
	expect_equal(log_loss(log_last(log), "blocks_dropped"), 0);
	expect(log_last(log)->number > 2000);
}
