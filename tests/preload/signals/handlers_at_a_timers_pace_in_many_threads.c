// long
// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=3
// of glibc
// Timers of microseconds in several threads, whose handlers allocate, on the stack that they
// interrupt or on one of their own, while all allocate: not a call or byte is lost.
// HANDLER_SECONDS makes it longer.

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "safeheap.h"

enum { THREADS = 5, PACE_NS = 40000, STACK = 65536 };
static volatile bool over;
static uint64_t handled, rounds;

FRAME void handler(int number)
{
	void *block = realloc(malloc(30), 300);
	use(block);
	free(block);
	__atomic_fetch_add(&handled, number != 0, __ATOMIC_RELAXED);
}

FRAME void *interrupted(void *number)
{
	static char stacks[THREADS][STACK];
	stack_t alternate = {.ss_sp = stacks[(uintptr_t)number], .ss_size = STACK};
	struct sigevent to_me = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
	struct itimerspec pace = {{0, PACE_NS}, {0, PACE_NS}};
	timer_t timer;

	to_me._sigev_un._tid = gettid();
	if ((uintptr_t)number % 2)
		sigaltstack(&alternate, NULL);
	expect(timer_create(CLOCK_MONOTONIC, &to_me, &timer) == 0);
	timer_settime(timer, 0, &pace, NULL);
	for (uint64_t i = 0; !over; i++) {
		void *block = calloc(1, 100 + i % 100);
		use(block);
		free(block);
		__atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
	}
	timer_delete(timer);
	return NULL;
}

void
host(void)
{
	pthread_t threads[THREADS];
	// It is on an alternate stack in the threads that have one.
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
	const char *longer = getenv("HANDLER_SECONDS");

	if (!host_role()[0])
		return;
	struct safe_counts *counts = safe_counts_begin();
	sigaction(SIGRTMIN, &action, NULL);
	for (uintptr_t i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, interrupted, (void *)i) == 0);
	struct timespec left = {longer ? atoi(longer) : 2, 0};
	nanosleep(&left, NULL);
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	use(malloc(handled));
	safe_counts_leave(counts, "counts");
	fprintf(stderr, "figure: %lu handlers in %lu rounds\n", (unsigned long)handled,
		(unsigned long)rounds);
	expect(handled > 1000);
}

void
check(const struct logfile *none)
{
	struct logfile log;

	expect(none->run_count <= 1);
	run_on_safe_heap("paced", &log);
	safe_counts_agree("counts", log_last(&log));
	expect(log_loss(log_last(&log), "nested") > 100);
}
