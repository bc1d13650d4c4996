// long
// pmem: -DPMEM_CHURN_THRESH=20000 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=3
// What a fork's child inherited of threads that counted together, before its parent's last
// snapshot or behind it, is in the line of the rest, and has not moved in the child.

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "threads.h"

enum { THREADS = 6, BLOCKS = 500 };

FRAME void keep_one(void) { use(malloc(100)); }

static void *
body(void *unused)
{
	for (int round = 0; round < 2; round++) {
		pthread_barrier_wait(&turn);
		// Too few for a snapshot the second time.
		for (int i = 0; i < (round == 0 ? BLOCKS : 20); i++)
			keep_one();
		pthread_barrier_wait(&turn);
	}
	pthread_barrier_wait(&turn);
	return unused;
}

void
host(void)
{
	int status;

	// The first thread takes a slot before the others: pthread_create() allocates in glibc only.
	use(malloc(1));
	start_threads(THREADS, body);
	for (int i = 0; i < 4; i++)
		pthread_barrier_wait(&turn);
	pid_t child = fork();
	if (child == 0) {
		for (int i = 0; i < BLOCKS; i++)
			keep_one();
		exit(0);
	}
	expect(waitpid(child, &status, 0) == child && status == 0);
	leave_number("child", (uint64_t)child);
	exit(0);
}

void
check(const struct logfile *log)
{
	struct logfile childs;

	expect(log_thread_by_id(log_last(log), "rest")->counts.allocs >= (THREADS - 1) * (BLOCKS + 20));
	read_log_of(&childs, (pid_t)left_number("child"));
	for (int i = 0; i < childs.snapshot_count; i++) {
		const struct log_counts *rest = &log_thread_by_id(&childs.snapshots[i],
			"rest")->counts;
		expect(rest->allocs >= (THREADS - 1) * (BLOCKS + 20));
		expect_equal(rest->allocs_more, 0);
		expect_equal(log_thread_by_id(&childs.snapshots[i], "ended")->counts.allocs_more,
			0);
	}
}
