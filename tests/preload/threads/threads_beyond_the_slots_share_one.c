// long
// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=3
// Threads that come when all slots are taken count together, as exactly; the log says so.

#define check check_counts
#include "threads_count_exactly_under_snapshots.c"
#undef check

void
check(const struct logfile *log)
{
	check_counts(log);
	expect(log_loss(log_last(log), "slots_shared") > 0);
}
