// pmem: -DPMEM_BURST=5 -DPMEM_MIN_INTERVAL_MS=3600000
// When the burst is used up, blocks come one an interval; none are lost count of: the
// numbers go on in the next block.

#include <stdlib.h>

#include "host.h"

void
host(void)
{
	for (int i = 0; i < 100; i++)
		free(malloc(1 << 20));
}

void
check(const struct logfile *log)
{
	expect_equal(log->block_count, 5 + 1);
	expect_equal(log_last(log)->total.allocs, 100);
}
