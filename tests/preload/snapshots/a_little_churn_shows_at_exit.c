// A program that churns little still leaves its last snapshot: what it never freed.

#include <stdlib.h>

#include "host.h"

FRAME void leak(void) { use(malloc(3)); }

void
host(void)
{
	leak();
}

void
check(const struct logfile *log)
{
	expect_equal(log->snapshot_count, 1);
	const struct log_snapshot *snapshot = log_last(log);
	expect(snapshot->reason[0] == 'e');
	expect_equal(snapshot->shown, 1);
	expect_equal(snapshot->churn, 3);
	expect_equal(log_from(snapshot, "leak")->counts.live, 3);
}
