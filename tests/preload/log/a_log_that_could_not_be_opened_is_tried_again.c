// SPDX-License-Identifier: BSD-2-Clause
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// While a process has no descriptor left its log cannot be opened: the snapshots are dropped, the
// last 64 untried. 15 seconds later the next one is tried in any case, and a note says since when,
// until when and why nothing was written.

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host.h"

enum { PAUSE_SECONDS = 15, LOST = 200 };

static void
churn(int times)
{
	for (int i = 0; i < times; i++)
		free(malloc(100));
}

void
host(void)
{
	struct rlimit limit;

	churn(10);
	expect(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	struct rlimit none = {0, limit.rlim_max};
	expect(setrlimit(RLIMIT_NOFILE, &none) == 0);
	churn(LOST);
	expect(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	for (unsigned left = PAUSE_SECONDS + 1; left > 0;)
		left = sleep(left);
	free(malloc(100));
}

void
check(const struct logfile *log)
{
	const char *over = strstr(read_file(host_log), "\n# note nothing could be written from 20");
	const struct log_snapshot *last = log_last(log);

	expect(over != NULL && strstr(over, "Z: Too many open files\n") != NULL);
	expect_equal(last->total.allocs, 10 + LOST + 1);
	expect_equal(log_loss(last, "snapshots_dropped"), 2 * LOST);
	expect_equal((uint64_t)log->snapshot_count, 2 * (10 + 1) + 1);
}
