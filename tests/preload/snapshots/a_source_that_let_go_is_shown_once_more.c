// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// A source that let go of all it held is shown in the next snapshot, with live:0 and blocks:0,
// and then no more until it moves: no reader carries its old value on.

#include <stdlib.h>

#include "host.h"

FRAME void *hold(void) { void *p = malloc(100); use(p); return p; }
FRAME void *other(void) { void *p = malloc(10); use(p); return p; }

static void
move_others(void)
{
	for (int i = 0; i < 10; i++)
		use(other());
}

void
host(void)
{
	static const char steps[] = "++--+-";
	void *held[3];
	int count = 0;

	for (const char *step = steps; *step; step++) {
		if (*step == '+')
			held[count++] = hold();
		else
			free(held[--count]);
		move_others();
	}
}

void
check(const struct logfile *log)
{
	static const uint64_t held[] = {1, 2, 1, 0, 1, 0};
	uint64_t seen = 0;

	for (int i = 0; i < log->snapshot_count; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		const struct log_source *source = log_from(snapshot, "hold");
		source = source ? source : log_empty_from(snapshot, "hold");
		if (!source)
			continue;
		expect(seen < 6);
		expect_equal(source->counts.blocks, held[seen]);
		expect_equal(source->counts.live, 100 * held[seen]);
		expect(source->depth > 2);
		expect(held[seen] > 0 || snapshot->empty_shown > 0);
		seen++;
	}
	expect_equal(seen, 6);
	expect_equal(log->known_snapshots, log->snapshot_count);
}
