// long
// on each allocator
// pmem: -DPMEM_CHURN_THRESH=262144 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=16
// Threads cancelled at any instruction (asynchronously), by the thousand, while they allocate
// and write snapshots: the others go on, no descriptor stays open, lock and slots come back.

#include <pthread.h>
#include <sched.h>

#include "safeheap.h"

enum { CANCELLED = 800, AT_A_TIME = 4 };
static volatile bool over;
static uint64_t rounds;

FRAME void *victim(void *started)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	__atomic_store_n((int *)started, 1, __ATOMIC_RELEASE);
	for (;;)
		free(realloc(malloc(100), (size_t)100000));
}

FRAME void *survivor(void *unused)
{
	for (; !over; rounds++) {
		free(malloc(1000));
		sched_yield();
	}
	return unused;
}

FRAME void afterwards(void) { free(realloc(malloc(77), (size_t)100000)); use(malloc(77)); }

void
host(void)
{
	pthread_t threads[AT_A_TIME], other;
	int started[AT_A_TIME];
	int descriptors = descriptors_open();

	if (!host_role()[0])
		return;
	alarm(250);
	pthread_create(&other, NULL, survivor, NULL);
	for (int i = 0; i < CANCELLED; i += AT_A_TIME) {
		for (int n = 0; n < AT_A_TIME; n++) {
			started[n] = 0;
			pthread_create(&threads[n], NULL, victim, &started[n]);
		}
		for (int n = 0; n < AT_A_TIME; n++) {
			while (!__atomic_load_n(&started[n], __ATOMIC_ACQUIRE))
				sched_yield();
			for (int spin = 0; spin < (i * 37 + n * 101) % 3000 * 100; spin++)
				__asm__ volatile("");
			pthread_cancel(threads[n]);
		}
		for (int n = 0; n < AT_A_TIME; n++)
			pthread_join(threads[n], NULL);
	}
	over = true;
	pthread_join(other, NULL);
	expect_equal(descriptors_open(), descriptors);
	for (int i = 0; i < 10; i++)
		afterwards();
	use(malloc(rounds));
}

void
check(const struct logfile *none)
{
	struct logfile log;

	expect(none->run_count <= 1);
	run_on_safe_heap("cancelled", &log);
	const struct log_snapshot *last = log_last(&log);
	uint64_t went_on = log_from(last, "host")->counts.live;
	printf("figure: %d threads cancelled, %d blocks\n", CANCELLED, log.snapshot_count);
	expect(log.snapshot_count > 1000 && went_on > 0);
	expect_equal(log_from(last, "afterwards")->counts.live, 770);
	expect_equal(log_loss(last, "nested") + log_loss(last, "slots_shared"), 0);
}
