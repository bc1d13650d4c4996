// A program that allocates nothing leaves no file.

#include <stdlib.h>
#include <unistd.h>

#include "host.h"

void
host(void)
{
	free(NULL);
	getpid();
}

void
check(const struct logfile *log)
{
	expect_equal(log->snapshot_count, 0);
	expect_equal(count_files("pmem."), 0);
}
