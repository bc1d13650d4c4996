// long
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// A signal handler that allocates, wherever it interrupts a hook: no deadlock, and not a
// call or byte is lost. (glibc's allocator cannot take it; the one beneath here can.)

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "safeheap.h"

enum { HANDLERS = 20000 };
static volatile uint64_t handled;
static uint64_t rounds;

// Once: a timer that had run out again by the handler's end would let nothing else run.
static void
set_timer(void)
{
	struct itimerval soon = {.it_value = {0, 50}};
	setitimer(ITIMER_REAL, &soon, NULL);
}

FRAME void handler(int number)
{
	void *block = realloc(malloc(30), 3000);
	use(block);
	free(block);
	handled += number != 0;
	if (handled < HANDLERS)
		set_timer();
}

FRAME void interrupted(void)
{
	for (rounds = 0; handled < HANDLERS; rounds++) {
		void *block = malloc(100);
		use(block);
		free(block);
	}
}

void
host(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

	if (!host_role()[0])
		return;
	struct safe_counts *counts = safe_counts_begin();
	sigaction(SIGALRM, &action, NULL);
	set_timer();
	interrupted();
	use(malloc((size_t)rounds));
	safe_counts_leave(counts, "counts");
}

void
check(const struct logfile *none)
{
	struct logfile log;

	expect(none->run_count <= 1);
	run_on_safe_heap("interrupted", &log);
	const struct log_snapshot *last = log_last(&log);
	uint64_t loops = log_from(last, "host")->counts.live;
	uint64_t handlers = (last->total.allocs - loops - 1) / 2;
	printf("figure: %lu handlers, %lu inside a hook\n", (unsigned long)handlers,
		(unsigned long)log_loss(last, "nested") / 2);
	expect(handlers >= HANDLERS && log_loss(last, "nested") > 100);
	safe_counts_agree("counts", last);
	expect_equal(last->total.allocs, loops + 1 + 2 * handlers);
	expect_equal(last->total.alloc, 100 * loops + loops + 3030 * handlers);
	expect_equal(last->total.live, loops);
}
