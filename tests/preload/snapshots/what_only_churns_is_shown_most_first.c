// pmem: -DPMEM_SHOW_EMPTY=3 -DPMEM_CHURN_THRESH=1000000000 -DPMEM_SNAPSHOT_SIGNAL=10
// Sources that allocate and free all between two snapshots are shown behind those that hold
// memory, most churn since the last snapshot first, PMEM_SHOW_EMPTY at most; the others are
// counted, and in {rest}.

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#define CHURN(name) \
	FRAME void name(size_t bytes) { void *p = malloc(bytes); use(p); free(p); }
CHURN(churn0)
CHURN(churn1)
CHURN(churn2)
CHURN(churn3)
CHURN(churn4)

FRAME void *keep(void) { void *p = malloc(1); use(p); return p; }

static const size_t bytes[2][5] = {
	{10000, 20000, 30000, 40000, 50000}, {5000, 4000, 3000, 2000, 1000}};

void
host(void)
{
	// volatile, that each call stands once in the program.
	for (volatile int i = 0; i < 2; i++) {
		churn0(bytes[i][0]);
		churn1(bytes[i][1]);
		churn2(bytes[i][2]);
		churn3(bytes[i][3]);
		churn4(bytes[i][4]);
		if (i == 0)
			raise(SIGUSR1);
		use(keep());
	}
}

// The entry behind the one that holds memory, and those before.
static void
expect_churner(const struct log_snapshot *snapshot, int place, const char *name,
	uint64_t churn)
{
	const struct log_source *source = log_empty_from(snapshot, name);
	expect(source == &snapshot->entries[snapshot->shown + (uint64_t)place]);
	expect_equal(source->counts.live, 0);
	expect_equal(source->counts.blocks, 0);
	expect_equal(source->counts.alloc_more, churn);
	expect_equal(source->counts.free_more, churn);
}

void
check(const struct logfile *log)
{
	expect_equal(log->snapshot_count, 2);
	const struct log_snapshot *asked = &log->snapshots[0];
	const struct log_snapshot *last = &log->snapshots[1];
	expect(strcmp(asked->reason, "signal") == 0 && strcmp(last->reason, "exit") == 0);

	for (int i = 0; i < 2; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		expect(snapshot->shown >= 1 && log_from(snapshot, "keep"));
		expect_equal(snapshot->hidden, 0);
		expect_equal(snapshot->empty_shown, 3);
		expect(snapshot->empty >= 5);
		expect(log_by_id(snapshot, "rest") != NULL);
		expect(strstr(log->runs[0].header, " show=100 show_empty=3 "));
	}
	expect_churner(asked, 0, "churn4", 50000);
	expect_churner(asked, 1, "churn3", 40000);
	expect_churner(asked, 2, "churn2", 30000);
	// Not by the most since the start.
	expect_churner(last, 0, "churn0", 5000);
	expect_churner(last, 1, "churn1", 4000);
	expect_churner(last, 2, "churn2", 3000);
	expect(log_by_id(asked, "rest")->counts.alloc_more >= 10000 + 20000);
	expect(log_by_id(last, "rest")->counts.alloc_more >= 1000 + 2000);
	expect(log_by_id(last, "rest")->counts.alloc >= 1000 + 2000 + 40000 + 50000);
}
