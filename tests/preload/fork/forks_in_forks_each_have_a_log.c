// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1000 -DPMEM_LOG_HOURS=0
// A fork in a fork, a hundred deep: each process has a log of its own, which names its
// parent, and holds what all its forebears had allocated by then.

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { DEPTH = 100 };

FRAME void one_more(void) { use(malloc(700)); }

void
host(void)
{
	int status = 0;
	for (int depth = 1; depth <= DEPTH; depth++) {
		for (int i = 0; i < 30; i++)
			free(malloc(20));
		one_more();
		if (depth == DEPTH)
			break;
		pid_t child = fork();
		if (child > 0) {
			expect(waitpid(child, &status, 0) == child && status == 0);
			break;
		}
	}
	exit(0);
}

void
check(const struct logfile *log)
{
	pid_t pid = host_pid;
	pid_t highest = atoi(read_file("/proc/sys/kernel/pid_max"));
	struct logfile next = *log;
	expect_equal(count_files("pmem."), DEPTH);
	const uint64_t idle = host_idle_totals().allocs;
	for (int depth = 1; depth <= DEPTH; depth++) {
		const struct log_snapshot *last = log_last(&next);
		expect_equal(next.run_count, 1);
		expect_equal(next.runs[0].pid, pid);
		expect_equal(log_from(last, "one_more")->counts.live, 700 * depth);
		expect_equal(last->total.allocs - idle, 31 * depth);
		expect_equal(last->reason[0], 'e');
		// Whose log names this process as its parent?
		// Process ids begin again from the lowest when they are used up.
		bool found = depth == DEPTH;
		for (int step = 1; !found && step < 10000; step++) {
			pid_t child = pid + step < highest ? pid + step : pid + step - highest;
			char path[64];
			snprintf(path, sizeof(path), "pmem.%d.log", child);
			if (access(path, F_OK) != 0)
				continue;
			read_log(&next, path);
			if (next.runs[0].forked_from == pid) {
				pid = child;
				found = true;
			}
		}
		expect(found);
	}
}
