// on each allocator
// pmem_pause(): what the thread allocates until pmem_resume() has the stack of the pause and none
// of its own, whatever allocates; other threads' stacks are as before. Nothing is lost: blocks
// from before are freed rightly meanwhile, blocks from meanwhile afterwards, and all adds up.
// Pauses nest, and the first counts; a forked child goes on with them.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmem.h"
#include "host.h"

static pthread_barrier_t barrier;
static void *before[3];
static void *meanwhile[4];

FRAME void *give(void) { return malloc(100); }
FRAME void *grow(void *block) { return realloc(block, 500); }
FRAME void *from_thread(void) { return malloc(30); }

static void *
thread(void *unused)
{
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 10; i++)
		use(from_thread());
	return unused;
}

FRAME void
quiet(void)
{
	pthread_t other;

	expect_equal((uint64_t)pmem_pause(), 1);
	free(before[0]);
	before[1] = grow(before[1]);
	for (int i = 0; i < 4; i++)
		meanwhile[i] = give();
	use(calloc(3, 7));
	expect_equal((uint64_t)pmem_pause(), 2);
	pthread_barrier_init(&barrier, NULL, 2);
	expect(pthread_create(&other, NULL, thread, NULL) == 0);
	pthread_barrier_wait(&barrier);
	expect(pthread_join(other, NULL) == 0);
	expect_equal((uint64_t)pmem_resume(), 1);
	free(meanwhile[0]);
	pid_t child = fork();
	if (child == 0) {
		use(give()), use(give());
		expect(pmem_resume() == 0);
		use(give());
		expect(pmem_snapshot("child") == 0);
		_exit(0);
	}
	int status = -1;
	char path[32];
	snprintf(path, sizeof(path), "pmem.%d.log", child);
	expect(waitpid(child, &status, 0) == child && status == 0 && symlink(path, "child.log") == 0);
	expect_equal((uint64_t)pmem_resume(), 0);
	expect(pmem_resume() == PMEM_NOT_PAUSED);
}

FRAME void
later(void)
{
	use(give());
	free(meanwhile[1]);
	free(before[1]);
	free(before[2]);
}

void
host(void)
{
	for (int i = 0; i < 3; i++)
		before[i] = give();
	quiet();
	later();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_source *paused = log_from(last, "quiet");
	struct logfile child;

	expect(strstr(paused->frames[0], "(pmem_pause+0x0)") != NULL);
	expect(strstr(paused->frames[1], "(quiet+") != NULL);
	// The thread that was made meanwhile is described by the C library on this one.
	expect_equal(log_sum(last, "(quiet+").allocs, paused->counts.allocs);
	expect(paused->counts.allocs >= 1 + 4 + 1);
	expect(paused->counts.alloc >= 500 + 400 + 21);
	expect(paused->counts.live >= 200 + 21 && paused->counts.frees >= 3);
	expect_equal(log_from(last, "from_thread")->counts.live, 300);
	// Those of before, and the one of after.
	expect_equal(log_sum(last, "(give+").allocs, 4);
	expect_equal(log_sum(last, "(give+").frees, 3);
	expect_equal(log_sum(last, "(grow+").allocs, 0);
	expect_equal(log_loss(last, "untracked_frees"), 0);
	read_log(&child, "child.log");
	expect_equal(log_from(&child.snapshots[0], "quiet")->counts.allocs_more, 2);
	expect_equal(log_sum(&child.snapshots[0], "(give+").allocs_more, 1);
}
