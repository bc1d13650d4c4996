// long
// pmem: -DPMEM_SOURCES=64 -DPMEM_FRAMES=4
// A program with more sources than the table holds goes on unharmed; the rest is counted
// under {other}, exactly, and the log says how often.

#include <stdlib.h>

#include "host.h"
#include "manystacks.h"

FRAME void *hundred(unsigned i)
{
	switch (i % 100) {
#define CASE(n) case n: { void *p = malloc(16); use((char *)p + n); return p; }
#define TEN(n) CASE(n##0) CASE(n##1) CASE(n##2) CASE(n##3) CASE(n##4) CASE(n##5) CASE(n##6) CASE(n##7) CASE(n##8) CASE(n##9)
	TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9)
	default: return left(10, i); // cut to the innermost four
	}
}

void
host(void)
{
	for (unsigned i = 0; i < 100000; i++) {
		void *block = hundred(i);
		if (i % 2)
			free(block);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect_equal(last->sources, 63);
	expect_equal(last->sources_max, 64);
	const struct log_source *other = log_by_id(last, "other");
	expect(other != NULL);
	expect(other->counts.allocs > 10000);
	expect_equal(log_loss(last, "table_full"), other->counts.allocs);
	expect_equal(last->total.allocs, 100000);
	expect_equal(last->total.live, 800000);
	expect(log_loss(last, "stacks_cut") > 0);
}
