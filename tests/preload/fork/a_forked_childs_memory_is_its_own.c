// pmem: -DSYS_BY_NAME=1
// rss= and outside= of a forked child's log are the child's: not what its parent maps later,
// and without what the child unmapped. A child that is forked in the middle of a block keeps
// none of its parent's descriptors.

#include <stdlib.h>
#include <sys/wait.h>

#include "host.h"
#include "shim.h"
#include "statm.h"

static volatile bool forks;
static int open_before;

// In the middle of the reading.
static long
shim_call(long number, const long *arguments)
{
	int status = -1;
	(void)arguments;
	if (!forks || (number != SYS_pread64 && number != SYS_newfstatat && number != SYS_write))
		return 0;
	forks = false;
	pid_t child = fork();
	if (child == 0)
		_exit(descriptors_open() != open_before);
	expect(waitpid(child, &status, 0) == child && status == 0);
	forks = true;
	return 0;
}

static void
churn(void)
{
	for (int i = 0; i < 12; i++)
		free(malloc(100000));
}

void
host(void)
{
	int status = -1;
	void *first = mapped(100 * MIB);

	churn();
	pid_t child = fork();
	if (child == 0) {
		munmap(first, 100 * MIB);
		churn();
		mapped(30 * MIB);
		exit(0);
	}
	leave_number("child", (uint64_t)child);
	mapped(200 * MIB);
	churn();
	expect(waitpid(child, &status, 0) == child && status == 0);
	open_before = descriptors_open();
	forks = true;
	churn();
	forks = false;
}

void
check(const struct logfile *log)
{
	struct logfile child;
	uint64_t late = statm_late(1);

	read_log_of(&child, (pid_t)left_number("child"));
	expect(child.runs[0].forked_from == host_pid);
	// The first, 300 MiB, and the last.
	expect(log->snapshot_count >= 4 && log->snapshots[0].outside + late > 100 * MIB);
	expect(log_last(log)->outside + late > 300 * MIB);
	expect(child.snapshot_count == 3);
	expect(child.snapshots[0].rss < 50 * MIB + late);
	expect(log_last(&child)->rss > child.snapshots[0].rss + 30 * MIB - MIB - late);
	expect(log_last(&child)->rss < 80 * MIB + late);
}
