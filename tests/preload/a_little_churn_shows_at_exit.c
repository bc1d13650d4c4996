// A program that churns little still leaves its last block: what it never freed.

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
	expect_equal(log->block_count, 1);
	const struct log_block *block = log_last(log);
	expect(block->reason[0] == 'e');
	expect_equal(block->shown, 1);
	expect_equal(block->churn, 3);
	expect_equal(log_from(block, "leak")->counts.live, 3);
}
