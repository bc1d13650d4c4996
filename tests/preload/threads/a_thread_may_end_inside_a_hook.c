// long
// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=16 -DPMEM_LOG_MAX_BYTES=0
// of x86-64
// A thread ends by the bare system call in a handler, at each instruction of a hook in turn:
// others take over its slot and the lock, go on counting and writing, and no descriptor stays
// open.

#include <pthread.h>
#include <sys/syscall.h>

#include "safeheap.h"
#include "steps.h"
#include "threads.h"

static volatile uint64_t ended;

// Where it cannot be delivered now, it is when it can.
static void
end_thread(int number)
{
	ended += number != 0;
	syscall(SYS_exit, 0);
}

FRAME void *allocate(void *unused)
{
	free(realloc(malloc(100), 70000));
	return unused;
}

static void *
in_steps(void *unused)
{
	step_on();
	allocate(unused);
	step_off();
	return unused;
}

static uintptr_t offset;
static void *
ends(void *unused)
{
	// Not before: the thread that makes threads allocates, too.
	steps_arm(offset);
	allocate(unused);
	steps_disarm();
	return unused;
}

static void
run(void *(*function)(void *))
{
	struct mortal thread;
	mortal_start(&thread, function, NULL);
	mortal_outlive(&thread);
}

FRAME void afterwards(void) { free(realloc(malloc(77), 70000)); use(malloc(77)); }
FRAME void go_on(void) { run(ends); afterwards(); }

void
host(void)
{
	if (!host_role()[0])
		return;
	int descriptors = descriptors_open();
	alarm(250);
	steps_start(steps_note_or_raise, 0);
	sigaction(SIGUSR1, &(struct sigaction){.sa_handler = end_thread}, NULL);
	run(in_steps);
	for (; offset < steps.bytes; offset++) {
		if (steps.seen[offset])
			go_on();
	}
	expect_equal(descriptors_open(), descriptors);
	use(malloc(ended));
}

void
check(const struct logfile *none)
{
	struct logfile log;

	expect(none->run_count <= 1);
	run_on_safe_heap("ends", &log);
	const struct log_snapshot *last = log_last(&log);
	uint64_t threads = log_from(last, "host")->counts.live;
	printf("figure: %lu threads ended inside a hook, %d blocks\n", (unsigned long)threads,
		log.snapshot_count);
	expect(threads > 1000 && log.snapshot_count > (int)threads);
	expect(log_from(last, "afterwards")->counts.live > 77 * threads);
	expect_equal(log_loss(last, "nested") + log_loss(last, "slots_shared"), 0);
}
