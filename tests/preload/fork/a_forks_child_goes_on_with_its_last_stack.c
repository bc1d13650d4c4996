// pmem: -DSYS_BY_NAME=1
// The thread that forked goes on in the child with what is remembered of its stack: what is mapped
// for the child's first snapshots is what they are counted in, and nothing else.

#include <stdlib.h>
#include <sys/wait.h>

#include "host.h"
#include "shim.h"

static volatile int mapped;

static long
shim_call(long number, const long *arguments)
{
	(void)arguments;
	mapped += number == SYS_mmap;
	return 0;
}

FRAME void
allocate(void)
{
	for (int i = 0; i < 10; i++)
		use(malloc(100));
}

void
host(void)
{
	int status = -1;

	allocate();
	mapped = 0;
	pid_t child = fork();
	if (child == 0) {
		allocate();
		_exit(mapped);
	}
	expect(waitpid(child, &status, 0) == child && WIFEXITED(status));
	expect_equal((uint64_t)WEXITSTATUS(status), 1);
}

void
check(const struct logfile *log)
{
	expect_equal(log_from(log_last(log), "allocate")->counts.blocks, 10);
}
