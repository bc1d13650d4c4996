// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// A limit on the size of files ends no program by SIGXFSZ through its log: blocks that do
// not fit are dropped and counted, also where the limit comes between our look and the write.

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "host.h"
#include "shim.h"

static volatile bool lowers;
static const struct rlimit low = {3000, RLIM_INFINITY};
static const struct rlimit high = {RLIM_INFINITY, RLIM_INFINITY};

static long
shim_call(long number, const long *arguments)
{
	(void)arguments;
	if (lowers && number == SYS_write)
		setrlimit(RLIMIT_FSIZE, &low);
	return 0;
}

static void
churn(void)
{
	for (int i = 0; i < 100; i++)
		free(malloc(100));
}

void
host(void)
{
	sigset_t pending;

	churn();
	setrlimit(RLIMIT_FSIZE, &low);
	churn();
	setrlimit(RLIMIT_FSIZE, &high);
	lowers = true;
	churn();
	lowers = false;
	sigpending(&pending);
	expect(!sigismember(&pending, SIGXFSZ));
	setrlimit(RLIMIT_FSIZE, &high);
	// Till the last failure is forgotten.
	churn();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t dropped = log_loss(last, "snapshots_dropped");
	expect(dropped >= 400);
	expect_equal((uint64_t)log->snapshot_count + dropped, 801);
	expect_equal(last->total.allocs, 400);
}
