// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// Two processes with the same pid in two pid namespaces, as two containers that share a
// volume, write the same file at the same time: each snapshot belongs to one of them, its
// numbers agree with those of the block before it of that run, and both have their last.

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { PAIRS = 1000, HOSTS = 2 };

void
host(void)
{
	if (host_role()[0] != 'n')
		return;
	expect_equal(getpid(), 1);
	// Kept till the end, to be told apart.
	use(malloc((size_t)atoi(host_role() + 1)));
	for (int i = 0; i < PAIRS; i++)
		free(malloc(100));
}

static pid_t
start_in_namespace(const char *role)
{
	pid_t parent = fork();
	if (parent != 0)
		return parent;
	if (unshare(CLONE_NEWPID) != 0)
		_exit(77);
	_exit(run_again(role, true, NULL) == 0 ? 0 : 1);
}

void
check(const struct logfile *log)
{
	pid_t hosts[HOSTS];
	struct logfile shared;
	int ended = 0;
	uint64_t dropped = 0;
	int turns = 0;

	(void)log;
	hosts[0] = start_in_namespace("n1001");
	hosts[1] = start_in_namespace("n1002");
	for (int i = 0; i < HOSTS; i++) {
		int status;
		expect(waitpid(hosts[i], &status, 0) == hosts[i]);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
			skip("root");
		expect_equal(status, 0);
	}
	read_log(&shared, "pmem.1.log");
	expect_equal(shared.run_count, 2);
	expect(strstr(shared.runs[0].header, " pidns=4") != NULL);
	for (int i = 0; i < shared.snapshot_count; i++) {
		const struct log_snapshot *snapshot = &shared.snapshots[i];
		turns += i > 0 && snapshot->run != snapshot[-1].run;
		if (strcmp(snapshot->reason, "exit") != 0)
			continue;
		ended++;
		expect_equal(snapshot->total.allocs, PAIRS + 1);
		expect(snapshot->total.live == 1001 || snapshot->total.live == 1002);
		expect_equal(snapshot->number + 1 + log_loss(snapshot, "snapshots_dropped"),
			2 * PAIRS + 2);
		dropped += log_loss(snapshot, "snapshots_dropped");
	}
	expect_equal(ended, 2);
	expect_equal((uint64_t)shared.snapshot_count + dropped, HOSTS * (2 * PAIRS + 2));
	expect(shared.headers >= turns);
	printf("figure: %d blocks of two processes in one log, %d turns, %" PRIu64 " dropped\n",
		shared.snapshot_count, turns, dropped);
}
