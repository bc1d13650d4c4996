// pmem: -DPMEM_EXIT_MIN_CHURN=1048576
// A process that ends with much memory, and allocated nothing of it through us, or too little
// for a log, has a last snapshot that says so. A forked child of it that does nothing has none,
// nor has one with little memory.

#include <stdlib.h>
#include <sys/wait.h>

#include "host.h"
#include "statm.h"

void
host(void)
{
	int status = -1;

	if (strcmp(host_role(), "small") == 0) {
		use(malloc(10000));
		return;
	}
	if (strcmp(host_role(), "some") == 0)
		use(malloc(10000));
	mapped(100 * MIB + statm_late(1));
	pid_t child = fork();
	if (child == 0)
		exit(0);
	if (waitpid(child, &status, 0) != child || status != 0)
		_exit(3);
}

static void
expect_snapshot(const struct logfile *log, uint64_t live)
{
	const struct log_snapshot *snapshot = log_last(log);
	expect_equal((uint64_t)log->snapshot_count, 1);
	expect(strcmp(snapshot->reason, "exit") == 0);
	expect_equal(snapshot->total.live, live);
	expect(snapshot->outside >= 100 * MIB && snapshot->malloc == 0);
}

void
check(const struct logfile *log)
{
	struct logfile some;

	expect_snapshot(log, 0);
	expect_equal((uint64_t)count_files("pmem."), 1);
	expect_equal((uint64_t)run_again("some", true, NULL), 0);
	read_log_of(&some, again_pid);
	expect_snapshot(&some, 10000);
	expect_equal((uint64_t)run_again("small", true, NULL), 0);
	expect_equal((uint64_t)count_files("pmem."), 2);
}
