// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// While another process holds the log's lock snapshots are dropped at once, each is tried, and
// the program does not wait; but for the last snapshot, which waits, and no longer than a
// second.

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

#include "host.h"
#include "shim.h"

enum { HELD = 100, MILLISECOND = 1000000 };
static volatile int opens, sleeps;
static int held;

static long
shim_call(long number, const long *arguments)
{
	opens += shim_opens_log(number, arguments);
	if (number != SYS_nanosleep)
		return 0;
	// Time is not what is measured here: it passes at once.
	const struct timespec *pause = (const struct timespec *)arguments[0];
	expect(pause->tv_sec == 0 && pause->tv_nsec <= MILLISECOND);
	if (++sleeps == 10 && host_role()[0] == 'l')
		flock(held, LOCK_UN);
	expect(sleeps <= 1000);
	return SHIM_ANSWERED;
}

void
host(void)
{
	char path[64];

	if (!host_role()[0])
		return;
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	free(malloc(100));
	held = open(path, O_RDONLY);
	expect(held >= 0 && flock(held, LOCK_EX | LOCK_NB) == 0);
	opens = 0;
	for (int i = 0; i < HELD / 2; i++)
		free(malloc(100));
	expect_equal(opens, HELD);
	expect_equal(sleeps, 0);
}

void
check(const struct logfile *log)
{
	struct logfile after;
	(void)log;
	for (int let_go = 0; let_go < 2; let_go++) {
		expect_equal(run_again(let_go ? "let go" : "never", true, NULL), 0);
		read_log_of(&after, again_pid);
		expect_equal(after.snapshot_count, 2 + let_go);
		uint64_t dropped = log_loss(log_last(&after), "snapshots_dropped");
		expect_equal(dropped, let_go ? HELD : 0);
	}
}
