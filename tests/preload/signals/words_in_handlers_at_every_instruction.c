// long
// pmem: -DPMEM_CHURN_THRESH=1048576 -DPMEM_LOG_HOURS=0 -DPMEM_SOURCES=256 -DPMEM_SHOW=8
// of x86-64
// pmem.h's functions in a signal handler, at every instruction of every hook and of the functions
// themselves: each does what it is for or answers PMEM_BUSY, pmem_live(), pmem_source_at() and
// pmem_frame_line() always do, no pause is left over, and not a call or byte is lost.

#include <stdlib.h>

#include "pmem.h"
#include "safeheap.h"
#include "steps.h"

static volatile uint64_t interrupted, busy, written, paused;

FRAME void in_pause(void) { free(malloc(50)); }

static void
on_step(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info;
	intptr_t at = steps_offset(context);
	if (at < 0 || steps.seen[at] > 0)
		return;
	steps.seen[at] = 1;
	interrupted++;
	struct pmem_source source;
	char text[8];
	expect(pmem_live() >= 0 && pmem_sources() > 0 && pmem_source_at(0, &source, NULL, 0) >= 0);
	expect(pmem_frame_line(&source, text, sizeof(text)) == PMEM_INVALID);
	long block = pmem_snapshot("in a handler");
	expect(block >= 0 || block == PMEM_BUSY);
	written += block >= 0, busy += block < 0;
	if (interrupted % 16 == 0) {
		long base = pmem_reset();
		expect(base >= 0 || base == PMEM_BUSY);
	}
	int pauses = pmem_pause();
	expect(pauses > 0 || pauses == PMEM_BUSY);
	if (pauses < 0)
		return;
	in_pause();
	expect_equal((uint64_t)pmem_resume(), (uint64_t)pauses - 1);
	paused++;
	int label = pmem_label("in a handler");
	char name[PMEM_LABEL_BYTES + 1];
	expect(label > 0 && pmem_label_name(label, name, sizeof(name)) == (int)strlen("in a handler"));
	in_pause();
	expect_equal((uint64_t)pmem_label(NULL), 0);
}

FRAME void hooks(void) { free(realloc(malloc(10), 20)); free(calloc(2, 30)); }
FRAME void large(void) { free(realloc(malloc(10), 9 << 20)); }

FRAME void
words(void)
{
	expect(pmem_snapshot("stepped") >= 0);
	expect(pmem_pause() == 1);
	hooks();
	expect(pmem_resume() == 0 && pmem_resume() == PMEM_NOT_PAUSED);
	expect(pmem_live() >= 0 && pmem_reset() >= 0);
	expect(pmem_label("stepped") > 0);
	hooks();
	expect(pmem_label(NULL) == 0);
}

static void
stepped(void (*call)(void))
{
	memset(steps.seen, 0, steps.bytes);
	step_on();
	call();
	step_off();
}

void
host(void)
{
	if (!host_role()[0])
		return;
	struct safe_counts *counts = safe_counts_begin();
	alarm(250);
	steps_start(on_step, 0);
	stepped(hooks);
	stepped(hooks);
	stepped(words);
	stepped(large);
	expect(pmem_resume() == PMEM_NOT_PAUSED);
	safe_counts_leave(counts, "counts");
	expect(busy > 1000 && written > 20 && paused > 20);
	fprintf(stderr, "figure: %lu interruptions, %lu busy, %lu snapshots, %lu pauses\n",
		(unsigned long)interrupted, (unsigned long)busy, (unsigned long)written,
		(unsigned long)paused);
}

void
check(const struct logfile *none)
{
	struct logfile log;
	int labelled = 0;

	expect_equal(none->snapshot_count, 0);
	run_on_safe_heap("stepped", &log);
	safe_counts_agree("counts", log_last(&log));
	for (int i = 0; i < log.snapshot_count; i++)
		labelled += strcmp(log.snapshots[i].label, "in\\x20a\\x20handler") == 0;
	expect(labelled > 20);
	expect(log_label(log_last(&log), "in\\x20a\\x20handler")->counts.allocs > 20);
}
