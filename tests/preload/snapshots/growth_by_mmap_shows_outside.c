// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// Memory that a program maps by itself shows in the next snapshot's rss= and outside=, and in
// malloc= by its share, but not in live=; and it is gone there when the program unmaps it.

#include <stdlib.h>

#include "host.h"
#include "statm.h"

enum { WARM = 5, GROWN = 10 };

// Each call writes a snapshot: churn, and then the threshold is crossed.
FRAME void
leak(void)
{
	use(memset(malloc(1000000), 'x', 1000000));
}

void
host(void)
{
	// What the library itself touches for the first time is behind us then.
	for (int i = 0; i < WARM; i++)
		leak();
	for (int i = 0; i < GROWN; i++) {
		mapped(32 * MIB);
		leak();
	}
	void *at = mapped(100 * MIB);
	leak();
	munmap(at, 100 * MIB);
	leak();
	// Live, but not resident.
	use(malloc(4096 * MIB));
}

static void
expect_near(uint64_t is, uint64_t wanted)
{
	uint64_t apart = is > wanted ? is - wanted : wanted - is;
	if (apart > statm_late(1) + MIB / 2)
		expect_equal(is, wanted);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *first = &log->snapshots[WARM - 1];

	expect_equal((uint64_t)log->snapshot_count, WARM + GROWN + 4);
	for (int i = 0; i < GROWN + 3; i++) {
		const struct log_snapshot *snapshot = first + i;
		uint64_t mapped = (uint64_t)(i < GROWN ? i : GROWN) * 32 * MIB;
		mapped += i == GROWN + 1 ? 100 * MIB : 0;
		uint64_t leaked = (uint64_t)i * 1000000;
		expect(snapshot->has_memory);
		expect_equal(snapshot->total.live, first->total.live + leaked);
		expect_near(snapshot->rss, first->rss + mapped + leaked);
		expect_near(snapshot->outside, first->outside + mapped);
		expect_near(snapshot->file, first->file);
	}
	// 16 of 340 MiB.
	expect(first[GROWN].malloc >= 3 && first[GROWN].malloc <= 5);
	const struct log_snapshot *last = log_last(log);
	expect(last->total.live > 4096 * MIB && last->rss < 1000 * MIB);
	expect(last->outside == 0 && last->malloc == 100);
	printf("figure: outside=%lu MiB at %d MiB mapped\n",
		(unsigned long)(first[GROWN].outside / MIB), 32 * GROWN);
}
