// Within the burst, a snapshot is written each time the threshold has been churned, and no
// more often; the log is there while the program runs.

#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { MIB = 1 << 20 };

void
host(void)
{
	char log[64];
	snprintf(log, sizeof(log), "pmem.%d.log", getpid());
	// 20 MiB allocated and 20 freed.
	for (int i = 0; i < 20 * 64; i++)
		free(malloc(MIB / 64));
	expect(read_file(log)[0] == '#');
	use(malloc(100));
}

void
check(const struct logfile *log)
{
	// A thread publishes its churn in steps of a 64th.
	expect(log->snapshot_count - 1 <= 40 && log->snapshot_count - 1 >= 38);
	for (int i = 0; i < log->snapshot_count - 1; i++) {
		expect(log->snapshots[i].churn >= MIB && log->snapshots[i].churn < MIB + MIB / 32);
		expect_equal(log->snapshots[i].threshold, MIB);
		expect(log->snapshots[i].reason[0] == 'c');
	}
	expect(log_last(log)->reason[0] == 'e');
}
