// of a kernel
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// A forked child in a sandbox (seccomp) that lets files be made, but not be looked at, written or
// closed: it makes none.

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "seccomp.h"

static const int forbidden[] = {SYS_fcntl, SYS_fstat, SYS_newfstatat, SYS_write, SYS_close};

enum { CHILDREN = sizeof(forbidden) / sizeof(*forbidden) };

static void
churn(void)
{
	for (int i = 0; i < 1000; i++)
		free(malloc(100));
}

void
host(void)
{
	churn();
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();
		if (child == 0) {
			seccomp_begin();
			seccomp_rule(forbidden[i], SECCOMP_RET_ERRNO | EACCES);
			if (!seccomp_end(SECCOMP_RET_ALLOW, false))
				_exit(9);
			churn();
			exit(0);
		}
		int status = -1;
		expect(waitpid(child, &status, 0) == child && status == 0);
	}
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 0);
	expect_equal(count_files("pmem."), 1);
}
