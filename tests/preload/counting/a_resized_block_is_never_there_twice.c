// A block that grows by realloc() is one block in each snapshot, also in those that the call itself
// brings about, and the most that was ever live is what the program had of it.
// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// on each allocator

#include <stdint.h>
#include <stdlib.h>

#include "host.h"

enum {
	FIRST = 1 << 20,
	STEP = 100000,
	ROUNDS = 20,
	LAST = FIRST + ROUNDS * STEP,
	OTHERS = 200 << 10, // what libraries' constructors have, at most
};

FRAME void *grown(void *block, size_t bytes) { block = realloc(block, bytes); use(block); return block; }

void
host(void)
{
	void *block = grown(NULL, FIRST);

	for (int i = 1; i <= ROUNDS; i++)
		block = grown(block, FIRST + (size_t)i * STEP);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	int with_block = 0;

	for (int i = 0; i < log->snapshot_count; i++) {
		const struct log_counts *total = &log->snapshots[i].total;
		expect(total->live < LAST + OTHERS);
		with_block += total->live >= FIRST;
	}
	expect(with_block >= ROUNDS);
	expect(last->total.live >= LAST);
	expect(last->peak < LAST + OTHERS);
}
