// pmem: -DPMEM_LOOK_MS=50
// A program that maps memory and allocates nothing, as a collector with a heap of its own, has a snapshot
// for each mapping that comes when one is due by time.

#include <time.h>

#include "host.h"
#include "statm.h"

enum { TIMES = 6 };

void
host(void)
{
	for (int i = 0; i < TIMES; i++) {
		struct timespec pause = {.tv_nsec = 100000000};
		while (nanosleep(&pause, &pause) != 0)
			;
		mapped(32 * MIB);
	}
}

void
check(const struct logfile *log)
{
	expect_equal((uint64_t)log->snapshot_count, TIMES + 1);
	for (int i = 0; i < TIMES; i++)
		expect(i == 0 || strcmp(log->snapshots[i].reason, "rss") == 0
			|| strcmp(log->snapshots[i].reason, "look") == 0);
	for (int i = 1; i < TIMES; i++)
		expect(log->snapshots[i].outside >= log->snapshots[i - 1].outside + 31 * MIB);
}
