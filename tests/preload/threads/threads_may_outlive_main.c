// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1000 -DPMEM_LOG_HOURS=0
// main() leaves by pthread_exit() while detached threads allocate and write snapshots: they are
// counted as before, and the last of them writes the last snapshot, with all that is live.

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { THREADS = 6 };

FRAME void from_main(void) { use(malloc(3)); }
FRAME void from_thread(void) { use(malloc(5)); }

static void *
thread(void *unused)
{
	usleep(20000);
	for (int i = 0; i < 5000; i++)
		free(malloc(100));
	from_thread();
	return unused;
}

void
host(void)
{
	pthread_t id;
	pthread_attr_t detached;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	from_main();
	for (int i = 0; i < THREADS; i++)
		expect(pthread_create(&id, &detached, thread, NULL) == 0);
	pthread_exit(NULL);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect_equal(last->reason[0], 'e');
	expect_equal(log_from(last, "from_main")->counts.live, 3);
	expect_equal(log_from(last, "from_thread")->counts.live, 5 * THREADS);
	expect(last->total.alloc >= THREADS * 5000 * 100);
	for (int i = 0; i < log->snapshot_count - 1; i++)
		expect_equal(log->snapshots[i].reason[0], 'c');
}
