// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// A program that was started without descriptors 0 to 2, or closes them, gets them from its
// next open(), even while we write; also where it may have only few descriptors.

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host.h"
#include "shim.h"

static volatile int lowest = -1; // what the next open() should give; -1: not known
static volatile int second = -1;

static long
shim_call(long number, const long *arguments)
{
	(void)arguments;
	if (lowest >= 0 && number == SYS_write) {
		int fd = open("/dev/null", O_RDWR);
		int next = open("/dev/null", O_RDWR);
		if (fd != lowest || (second >= 0 && next != second))
			_exit(10);
		close(fd);
		close(next);
	}
	return 0;
}

static void
close_and_open(int status)
{
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	for (int fd = 0; fd < 3; fd++) {
		second = fd < 2 ? fd + 1 : -1;
		lowest = fd;
		free(malloc(100));
		if (open("/dev/null", O_RDWR) != fd)
			_exit(status);
		lowest = -1;
		free(malloc(100));
	}
}

void
host(void)
{
	struct rlimit few;

	// The next ones, as things are at the start.
	int fd = open("/dev/null", O_RDWR);
	second = open("/dev/null", O_RDWR);
	close(fd);
	close(second);
	lowest = fd;
	free(malloc(100));
	close_and_open(11);
	// Ours cannot be put at 200.
	getrlimit(RLIMIT_NOFILE, &few);
	few.rlim_cur = 20;
	if (setrlimit(RLIMIT_NOFILE, &few) != 0)
		_exit(12);
	close_and_open(13);
	// And none is left.
	while (dup(0) >= 0)
		free(malloc(100));
	for (int fd = 3; fd < 20; fd++) {
		if (fcntl(fd, F_GETFD) != 0 || close(fd) != 0)
			_exit(14);
	}
	if (host_role()[0] == '1')
		exit(0);
	// From the start on.
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	setenv("ROLE", "1", 1);
	execl("/proc/self/exe", "again", (char *)NULL);
	_exit(15);
}

void
check(const struct logfile *log)
{
	expect_equal(log->run_count, 2);
	expect(log->snapshot_count > 80);
	expect(log_loss(log_last(log), "snapshots_dropped") > 0);
}
