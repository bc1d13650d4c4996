// link: -DPMEM_THREADS=2 -DSYS_BY_NAME -ldl
// No two threads count in one slot: not when a new thread has the id of the one whose slot is
// just being taken over, nor in a copy of a process whose second thread was first to notice.

#include <pthread.h>

#include "unit.h"
#include "kernel.h"
#include "threads/thread.h"

enum { EARLIER = 1000001, MAIN = 1000002, COPIED = 1000003, SECOND = 1000004 };

static __thread pid_t thread_id = MAIN;
static pid_t process_id = MAIN;
static struct slot *reborn;

static void *
live_again(void *unused)
{
	thread_id = EARLIER;
	reborn = thread_claim();
	return unused;
}

static void
run(void *(*body)(void *))
{
	pthread_t thread;
	expect(pthread_create(&thread, NULL, body, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static bool
lives(pid_t thread)
{
	// Gone when it is asked about, and there again before the answer is used.
	if (thread == EARLIER && reborn == &thread_shared)
		run(live_again);
	return thread == process_id;
}

static void *
live(void *unused)
{
	thread_id = EARLIER;
	expect(thread_claim() != &thread_shared);
	return unused;
}

static void *
notice(void *unused)
{
	thread_id = SECOND;
	expect(thread_own() == &thread_shared);
	thread_keep();
	expect(thread_claim() == &thread_shared);
	return unused;
}

int
main(void)
{
	thread_start();
	run(live);
	reborn = &thread_shared;
	struct slot *taken = thread_claim();
	expect(reborn != &thread_shared && taken == &thread_shared);

	// The thread of that id ends for good, and its slot becomes ours; then we are copied.
	reborn = NULL;
	taken = thread_claim();
	expect(taken != &thread_shared);
	process_id = thread_id = COPIED;
	run(notice);
	expect(thread_own() == taken);
	thread_keep();
	expect(thread_slot == taken && thread_claim() == taken);
	return 0;
}
