// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// A snapshot is one write(2) among at most 48 calls, and 6 for each part of the folder's path, however
// many snapshots there were before. Once a second it reads, besides, how near the memory's limit is.

#include <stdlib.h>

#include "host.h"
#include "shim.h"

static volatile int opens, writes, limits, calls;

static bool
is_of_limit(const char *path)
{
	return strstr(path, "cgroup") || strcmp(path, "/proc/meminfo") == 0;
}

static long
shim_call(long number, const long *arguments)
{
	opens += shim_opens_log(number, arguments);
	writes += number == SYS_write;
	limits += number == SYS_openat && is_of_limit((const char *)arguments[1]);
	calls++;
	return 0;
}

void
host(void)
{
	int most = 0, parts = 1;
	char folder[4096];

	expect(getcwd(folder, sizeof(folder)) != NULL);
	for (const char *at = folder; *at; at++)
		parts += *at == '/';
	for (int i = 0; i < 1000; i++) {
		opens = writes = limits = calls = 0;
		void *block = malloc(100);
		// Where it is not there it is made.
		expect_equal(opens, i == 0 ? 2 : 1);
		expect_equal(writes, 1);
		// The first have stacks and names to look up.
		if (i >= 10 && limits == 0 && calls > most)
			most = calls;
		free(block);
	}
	printf("figure: %d system calls a snapshot in a folder of %d parts\n", most, parts);
	fflush(stdout);
	expect(most <= 48 + 6 * parts);
}

void
check(const struct logfile *log)
{
	expect_equal(log_loss(log_last(log), "snapshots_dropped"), 0);
	expect(log_last(log)->number >= 2000);
}
