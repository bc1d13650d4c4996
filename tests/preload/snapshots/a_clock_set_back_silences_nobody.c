// pmem: -DPMEM_LOG_HOURS=1 -DPMEM_LOG_BEGIN_BYTES=8000
// A child in a time namespace of its own, whose clock is hours behind its parent's: it writes
// its blocks as if nothing was. A block is due as soon as the clock is known to be another.

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

FRAME void churn(void) { for (int i = 0; i < 10; i++) free(malloc(1 << 20)); }

void
host(void)
{
	struct timespec now;
	int status = -1;

	churn();
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (geteuid() != 0 || unshare(CLONE_NEWTIME) != 0)
		skip("root");
	int fd = open("/proc/self/timens_offsets", O_WRONLY);
	expect(fd >= 0 && dprintf(fd, "monotonic %ld 0\n", -(long)now.tv_sec / 2) > 0);
	close(fd);
	pid_t child = fork();
	if (child == 0) {
		churn();
		_exit(0);
	}
	expect(waitpid(child, &status, 0) == child);
	expect_equal((uint64_t)status, 0);
	struct logfile log;
	read_log_of(&log, child);
	expect(log.snapshot_count > 0);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 1);
}
