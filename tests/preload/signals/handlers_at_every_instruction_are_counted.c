// long
// pmem: -DPMEM_CHURN_THRESH=1048576 -DPMEM_LOG_HOURS=0 -DPMEM_SOURCES=256 -DPMEM_SHOW=8
// of glibc
// of x86-64
// A signal handler that allocates, at every instruction of every hook, of a thread's first
// call, a new source, a block being written, a fork's child: not a call or byte is lost.

#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>

#include "safeheap.h"
#include "steps.h"

// Each instruction is interrupted so often, in each of the host's steps.
enum { OFTEN = 2 };
static volatile uint64_t interrupted;
static int distinct;

FRAME void in_handler(void)
{
	void *block = realloc(malloc(30), 3000);
	use(block);
	free(block);
}

static void
on_step(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info;
	intptr_t at = steps_offset(context);
	if (at < 0 || (steps.seen[at] & 127) >= OFTEN)
		return;
	distinct += steps.seen[at] == 0;
	steps.seen[at] = 128 | (steps.seen[at] + 1);
	interrupted++;
	in_handler();
}

FRAME void plain(void) { use(realloc(malloc(10), 20)); free(malloc(10)); free(NULL); }
FRAME void deep(int depth) { if (depth > 0) deep(depth - 1); else plain(); use(&depth); }
FRAME void big(void) { free(realloc(calloc(2, 30), 9 << 20)); }

FRAME void others(void)
{
	void *block;
	free(memalign(64, 100));
	free(aligned_alloc(64, 128));
	expect(posix_memalign(&block, 64, 10) == 0 && malloc_usable_size(block) >= 10);
	free(reallocarray(block, 10, 10));
}

static void
stepped(void (*call)(void))
{
	for (uintptr_t i = 0; i < steps.bytes; i++)
		steps.seen[i] &= 128;
	step_on();
	call();
	step_off();
}

FRAME void sources(void) { for (int depth = 1; depth < 90; depth += 11) deep(depth); }
static void *first_calls(void *unused) { stepped(plain); stepped(big); return unused; }
static void in_child(void) { plain(); big(); }
static pid_t child;
static void do_fork(void) { child = fork(); if (child == 0) in_child(); }

void
host(void)
{
	pthread_t thread;

	if (!host_role()[0])
		return;
	struct safe_counts *counts = safe_counts_begin();
	alarm(250);
	steps_start(on_step, 0);
	// Each place that a handler interrupts makes sources: blocks first, while they are short.
	stepped(big);
	stepped(big);
	pthread_create(&thread, NULL, first_calls, NULL);
	pthread_join(thread, NULL);
	stepped(do_fork);
	stepped(plain);
	stepped(others);
	stepped(sources);
	safe_counts_leave(counts, child == 0 ? "counts.child" : "counts");
	if (child == 0)
		return;
	char path[64];
	snprintf(path, sizeof(path), "pmem.%d.log", child);
	expect(waitpid(child, NULL, 0) == child && symlink(path, "child.log") == 0);
	fprintf(stderr, "figure: %lu interruptions at %d instructions\n",
		(unsigned long)interrupted, distinct);
	expect(distinct > 2000);
}

void
check(const struct logfile *none)
{
	struct logfile log;

	expect_equal(none->snapshot_count, 0);
	run_on_safe_heap("stepped", &log);
	safe_counts_agree("counts", log_last(&log));
	expect(log_loss(log_last(&log), "nested") > 2000);
	read_log(&log, "child.log");
	safe_counts_agree("counts.child", log_last(&log));
}
