// oracle: what a host says that ran under a library built with PMEM_ORACLE.

#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <stdio.h>

#include "host.h"

// Of the stacks at least so many were taken both ways, with the same answer; `further` says
// whether frame pointers may have led on where backtrace() ends.
static inline void
expect_oracle(const struct logfile *log, uint64_t least, bool further)
{
	const struct log_snapshot *last = log_last(log);
	printf("figure: stacks equal %lu, further %lu, differing %lu\n",
		(unsigned long)log_loss(last, "oracle_equal"),
		(unsigned long)log_loss(last, "oracle_further"),
		(unsigned long)log_loss(last, "oracle_differs"));
	expect_equal(log_loss(last, "oracle_differs"), 0);
	expect_equal(log_loss(last, "stacks_short"), 0);
	expect(log_loss(last, "oracle_equal") >= least);
	expect(further == (log_loss(last, "oracle_further") > 0));
}

#endif
