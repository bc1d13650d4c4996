// pmem: -DPMEM_CHURN_THRESH=20000 -DPMEM_LOG_HOURS=0 -DPMEM_SHOW_STACKS=2
// Where config.h says so, the largest of the sources that hold memory come with their stacks each
// time; the others once.

#include <stdlib.h>

#include "host.h"

FRAME void large(void) { use(malloc(900)); }
FRAME void medium(void) { use(malloc(300)); }
FRAME void small(void) { use(malloc(10)); }
FRAME void none(void) { free(malloc(500)); }

void
host(void)
{
	for (int i = 0; i < 300; i++) {
		large();
		medium();
		small();
		none();
	}
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 5);
	for (int i = 1; i < log->snapshot_count - 1; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		expect(log_from(snapshot, "large") && log_from(snapshot, "medium")
			&& log_from(snapshot, "small"));
		// The snapshot may have been due between its two calls.
		const struct log_source *none = log_empty_from(snapshot, "none");
		none = none ? none : log_from(snapshot, "none");
		expect(log_from(snapshot, "large")->told && log_from(snapshot, "medium")->told);
		expect(!log_from(snapshot, "small")->told && none && !none->told);
	}
}
