// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// A log that cannot be opened, or written, is tried after 1, 2, 4, ... blocks, at most 64;
// the last snapshot in any case. The first success ends that. Every snapshot left out is counted.

#include <stdlib.h>

#include "host.h"
#include "shim.h"

static volatile long failing;
static volatile int tries;

static long
shim_call(long number, const long *arguments)
{
	bool opens = shim_opens_log(number, arguments);
	tries += opens;
	return number == failing && (number != SYS_openat || opens) ? EIO : 0;
}

static void
blocks(int count)
{
	for (int i = 0; i < count; i += 2)
		free(malloc(100));
}

static void
fail_for(long number)
{
	// Tried at 0, 2, 5, 10, 19, 36, 69, then every 65.
	static const struct {
		int blocks, tries;
	} steps[] = {{2, 1}, {4, 3}, {14, 5}, {50, 7}, {66, 8}, {650, 18}};
	failing = number;
	tries = 0;
	for (int i = 0; i < 6; i++) {
		blocks(steps[i].blocks);
		expect_equal(tries, steps[i].tries);
	}
	failing = 0;
	blocks(100);
	tries = 0;
	blocks(100);
	expect_equal(tries, 100);
}

void
host(void)
{
	blocks(10);
	fail_for(SYS_openat);
	fail_for(SYS_write);
	// The last snapshot does not wait for its turn.
	failing = SYS_openat;
	blocks(40);
	failing = 0;
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t dropped = log_loss(last, "snapshots_dropped");
	expect_equal(dropped + (uint64_t)log->snapshot_count, 10 + 2 * (786 + 200) + 40 + 1);
	expect_equal(last->total.allocs, last->total.frees);
}
