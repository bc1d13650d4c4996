// pmem: -DPMEM_CHURN_THRESH=1000 -DPMEM_LOG_HOURS=0
// The first process of a pid namespace has the id 1, and so has its child that is the first
// of another: by fork() or by _Fork(), the child is told from its parent, in the one file
// that they have by their name.

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

FRAME void in_init(void) { use(malloc(1111)); }
FRAME void in_forked(void) { use(malloc(2222)); }
FRAME void in_copied(void) { use(malloc(3333)); }

static void
churn(void)
{
	for (int i = 0; i < 500; i++)
		free(malloc(100));
}

static void
in_namespace(pid_t (*fork_it)(void), void (*work)(void))
{
	int status = -1;
	if (unshare(CLONE_NEWPID) != 0)
		skip("root");
	pid_t child = fork_it();
	if (child == 0) {
		expect_equal((uint64_t)getpid(), 1);
		work();
		churn();
		exit(0);
	}
	expect(waitpid(child, &status, 0) == child);
	if (WEXITSTATUS(status) == 77)
		skip("root");
	expect_equal((uint64_t)status, 0);
}

// One namespace in another can be entered once: two processes do it, one after the other.
static void
both(void)
{
	in_init();
	churn();
	if (strcmp(host_role(), "fork") == 0)
		in_namespace(fork, in_forked);
	else
		in_namespace(_Fork, in_copied);
	churn();
}

static void
start_init(const char *role)
{
	setenv("ROLE", role, 1);
	in_namespace(fork, both);
}

void
host(void)
{
	const char *roles[] = {"fork", "copy"};
	for (int i = 0; i < 2; i++) {
		int status = -1;
		pid_t child = fork();
		if (child == 0) {
			start_init(roles[i]);
			exit(0);
		}
		expect(waitpid(child, &status, 0) == child);
		if (WEXITSTATUS(status) == 77)
			skip("root");
		expect_equal((uint64_t)status, 0);
	}
}

void
check(const struct logfile *log)
{
	struct logfile shared;
	(void)log;
	read_log(&shared, "pmem.1.log");
	int ends = 0;
	// Each of the four has a last snapshot, with what it and its forebears hold.
	for (int i = 0; i < shared.snapshot_count; i++) {
		const struct log_snapshot *snapshot = &shared.snapshots[i];
		if (snapshot->reason[0] != 'e')
			continue;
		const struct log_source *own = log_from(snapshot, "in_init");
		expect((own ? own->counts.live : snapshot->inherited) >= 1111);
		ends += log_from(snapshot, "in_forked") ? 10
			: log_from(snapshot, "in_copied") ? 100 : 1;
	}
	expect_equal(shared.run_count, 4);
	expect_equal((uint64_t)ends, 112);
}
