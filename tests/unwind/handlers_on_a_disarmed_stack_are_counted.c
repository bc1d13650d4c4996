// pmem: -DPMEM_CHURN_THRESH=1048576 -DPMEM_LOG_HOURS=0
// of x86-64
// A signal handler that allocates, at every instruction, on an alternate stack that lies outwards
// of the thread's own and that the kernel disarms meanwhile (SS_AUTODISARM), so that it cannot
// be asked about it: not a call or byte is lost.

#include <pthread.h>

#include "safeheap.h"
#include "steps.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif

enum { STACK_BYTES = 1 << 16, BLOCKS = 1 << 17 };
static void *blocks[BLOCKS]; // of one source, whose frees handler and interrupted count
static volatile int next;
static volatile uint64_t interrupted;
static char *alternate;

FRAME void in_handler(void)
{
	use(malloc(30));
	free(blocks[next++]);
}

static void
on_step(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info;
	intptr_t at = steps_offset(context);
	if (at < 0 || steps.seen[at] > 1)
		return;
	steps.seen[at]++;
	interrupted++;
	in_handler();
}

FRAME void plain(void) { use(realloc(malloc(10), 20)); free(blocks[next++]); }

static void *
stepped(void *unused)
{
	stack_t stack = {.ss_sp = alternate, .ss_size = STACK_BYTES, .ss_flags = (int)SS_AUTODISARM};
	expect(sigaltstack(&stack, NULL) == 0);
	expect((uintptr_t)alternate > (uintptr_t)&stack);
	for (int i = 0; i < 3; i++) {
		memset(steps.seen, 0, steps.bytes);
		step_on();
		plain();
		step_off();
	}
	return unused;
}

void
host(void)
{
	char on_main[STACK_BYTES];
	pthread_t thread;

	if (!host_role()[0])
		return;
	struct safe_counts *counts = safe_counts_begin();
	alarm(250);
	alternate = on_main;
	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = malloc(50);
	steps_start(on_step, SA_ONSTACK);
	pthread_create(&thread, NULL, stepped, NULL);
	pthread_join(thread, NULL);
	expect(interrupted > 300 && next < BLOCKS);
	safe_counts_leave(counts, "counts");
}

void
check(const struct logfile *none)
{
	struct logfile log;
	expect_equal(none->snapshot_count, 0);
	run_on_safe_heap("steps", &log);
	const struct log_snapshot *last = log_last(&log);
	safe_counts_agree("counts", last);
}
