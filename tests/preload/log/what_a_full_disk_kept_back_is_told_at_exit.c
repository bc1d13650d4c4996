// pmem: -DPMEM_EXIT_MIN_CHURN=1048576 -DSYS_BY_NAME=1
// A program whose snapshots were all lost to a full disk has its last one written, if there is
// space again by then, though little has moved since the last that was lost.

#include <stdlib.h>

#include "host.h"
#include "shim.h"

enum { BLOCKS = 1100, BYTES = 1000 };

static volatile bool is_full = true;

static long
shim_call(long number, const long *arguments)
{
	(void)arguments;
	return is_full && number == SYS_write ? ENOSPC : 0;
}

FRAME void *keep(void) { return malloc(BYTES); }

void
host(void)
{
	// The first is due at 1048576 bytes.
	for (int i = 0; i < BLOCKS; i++)
		use(keep());
	is_full = false;
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect_equal((uint64_t)log->snapshot_count, 1);
	expect(last->reason[0] == 'e');
	expect_equal(log_loss(last, "snapshots_dropped"), 1);
	expect_equal(log_from(last, "keep")->counts.live, BLOCKS * BYTES);
}
