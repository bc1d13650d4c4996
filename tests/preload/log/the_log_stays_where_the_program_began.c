// chdir() does not move the log, nor does a child's.

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

void
host(void)
{
	mkdir("elsewhere", 0700);
	expect(chdir("elsewhere") == 0);
	free(malloc(2 << 20));
	if (fork() == 0) {
		free(malloc(2 << 20));
		exit(0);
	}
	wait(NULL);
	expect_equal(count_files("pmem."), 0);
}

void
check(const struct logfile *log)
{
	expect_equal(log->snapshot_count, 3);
	expect_equal(count_files("pmem."), 2);
}
