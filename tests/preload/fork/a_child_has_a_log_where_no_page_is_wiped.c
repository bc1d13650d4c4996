// pmem: -DSYS_BY_NAME=1
// A forked child has a log of its own, with its own counts, where the kernel says that it will wipe a page
// in each child, and does not: so do emulators.

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "host.h"
#include "shim.h"

static long
shim_call(long number, const long *arguments)
{
	return number == SYS_madvise && arguments[2] == MADV_WIPEONFORK ? SHIM_ANSWERED : 0;
}

FRAME void *give(size_t bytes) { return malloc(bytes); }

void
host(void)
{
	int status = -1;

	use(give(1000));
	pid_t child = fork();
	if (child == 0) {
		use(give(300000));
		exit(0);
	}
	leave_number("child", (uint64_t)child);
	expect(waitpid(child, &status, 0) == child && status == 0);
}

void
check(const struct logfile *log)
{
	struct logfile child;

	read_log_of(&child, (pid_t)left_number("child"));
	expect(child.runs[0].forked_from == host_pid);
	expect_equal(log_from(log_last(&child), "give")->counts.live, 300000);
	expect_equal(log_from(log_last(log), "give")->counts.live, 1000);
}
