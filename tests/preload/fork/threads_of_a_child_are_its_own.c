// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// In a fork's child what it inherited is of threads that are gone, and did nothing since; its own
// threads have their numbers, exactly.

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "threads.h"

enum { BEFORE = 3000, AFTER = 2000 };

FRAME void keep_one(void) { use(malloc(100)); }

static void *
body(void *count)
{
	expect(prctl(PR_SET_NAME, "helper") == 0);
	for (long i = 0; i < (long)count; i++)
		keep_one();
	return NULL;
}

static void
work(long count)
{
	struct mortal mortal;

	for (long i = 0; i < count; i++)
		keep_one();
	mortal_start(&mortal, body, (void *)count);
	mortal_bury(&mortal);
}

void
host(void)
{
	int status;

	work(BEFORE);
	pid_t child = fork();
	if (child == 0) {
		expect(prctl(PR_SET_NAME, "offspring") == 0);
		work(AFTER);
		exit(0);
	}
	expect(waitpid(child, &status, 0) == child && status == 0);
	leave_number("child", (uint64_t)child);
}

void
check(const struct logfile *log)
{
	struct logfile childs;
	const uint64_t idle = host_idle_totals().allocs;

	read_log_of(&childs, (pid_t)left_number("child"));
	const struct log_snapshot *last = log_last(&childs);
	const struct log_thread *first = log_thread(last, "offspring");
	const struct log_counts *ended = &log_thread_by_id(last, "ended")->counts;
	char pid[24];

	(void)log;
	printf("idle %lu\n", (unsigned long)idle);
	snprintf(pid, sizeof(pid), "%ld", childs.runs[0].pid);
	expect(first == log_thread_by_id(last, pid));
	// And what pthread_create() takes for a thread.
	expect(first->counts.allocs >= AFTER && first->counts.allocs <= AFTER + 3);
	expect(ended->allocs >= 2 * BEFORE + AFTER && ended->allocs <= 2 * BEFORE + AFTER + idle + 3);
	for (int i = 0; i < childs.snapshot_count; i++) {
		const struct log_thread *gone = log_thread_by_id(&childs.snapshots[i], "ended");
		expect(gone && gone->counts.allocs >= 2 * BEFORE);
		expect(gone->counts.allocs_more <= AFTER);
	}
}
