// pmem: -DPMEM_CHURN_THRESH=1048576 -DPMEM_LOG_HOURS=0
// of x86-64
// A signal handler leaves an allocation by siglongjmp() at every instruction; all that follows is
// further in, behind a buffer that nobody writes to, so that the stack looks as if the call that
// was left were still under way: a few calls later stacks are known again.

#include <setjmp.h>

#include "safeheap.h"
#include "steps.h"

enum { CALLS = 100, FEW = 10 };
static sigjmp_buf out;
static volatile uint64_t jumps;

static void
on_signal(int number)
{
	jumps += number != 0;
	siglongjmp(out, 1);
}

FRAME void operate(void) { free(realloc(malloc(10), 100)); __asm__ volatile("" : : : "memory"); }

FRAME void
serve(void)
{
	char unwritten[8192];
	use(unwritten);
	for (int i = 0; i < CALLS; i++) {
		void *block = malloc(10);
		use(block);
		free(block);
	}
	use(unwritten);
}

FRAME void
jump_at(uintptr_t offset)
{
	if (sigsetjmp(out, 1) == 0) {
		steps_arm(offset);
		operate();
	}
	steps_disarm();
	serve();
}

void
host(void)
{
	if (!host_role()[0])
		return;
	alarm(250);
	steps_start(steps_note_or_raise, 0);
	sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL);
	operate();
	step_on();
	operate();
	step_off();
	for (uintptr_t offset = 0; offset < steps.bytes; offset++) {
		if (steps.seen[offset])
			jump_at(offset);
	}
	expect(jumps > 100);
	for (uint64_t i = 0; i < jumps; i++)
		free(malloc(10));
	malloc(jumps);
}

void
check(const struct logfile *none)
{
	struct logfile log;
	expect_equal(none->snapshot_count, 0);
	run_on_safe_heap("jumps", &log);
	const struct log_snapshot *last = log_last(&log);
	uint64_t left = log_from(last, "host")->counts.live;
	printf("figure: %lu jumps, %lu nested\n", left, log_loss(last, "nested"));
	expect(log_loss(last, "nested") < FEW * left);
}
