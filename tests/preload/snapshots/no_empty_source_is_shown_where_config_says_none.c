// pmem: -DPMEM_SHOW_EMPTY=0 -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// With PMEM_SHOW_EMPTY=0 blocks have the sources that hold memory alone; the others are
// counted, and in {rest}.

#include <stdlib.h>
#include <string.h>

#include "host.h"

FRAME void *keep(size_t bytes) { void *p = malloc(bytes); use(p); return p; }
FRAME void churn(size_t bytes) { void *p = malloc(bytes); use(p); free(p); }

void
host(void)
{
	for (int i = 0; i < 100; i++) {
		churn(1000);
		use(keep(1000));
	}
}

void
check(const struct logfile *log)
{
	uint64_t empty = 0;

	expect(strstr(log->runs[0].header, " show_empty=0 "));
	expect(log->snapshot_count > 30);
	for (int i = 0; i < log->snapshot_count; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		empty += snapshot->empty;
		expect_equal(snapshot->empty_shown, 0);
	}
	expect(empty > 30);
	expect(log_by_id(log_last(log), "rest")->counts.frees >= 100);
}
