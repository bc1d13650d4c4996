// pmem: -DPMEM_EXIT_MIN_CHURN=65536 -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0 -DPMEM_CHILD_MS=300
// A forked child that has not run for a while, or has not churned a threshold of its own, writes
// nothing. One that has shows its own sources; what it has from before its fork, and has not
// allocated from since, is one sum, of which its frees are told. Its own children likewise.

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { KEPT = 40, BYTES = 1000 };
static void *volatile kept[KEPT];
static void *volatile block;

FRAME void inherit(int i) { kept[i] = malloc(BYTES); }
FRAME void both(void) { block = malloc(300); }
FRAME void own(int bytes) { block = malloc((size_t)bytes); }
FRAME void churn(void) { for (int i = 0; i < 100; i++) free(block = malloc(2000)); }

// Kinds of children.
static void
child(const char *kind)
{
	if (strchr(kind, 'y') == NULL)
		usleep(400000);
	if (strchr(kind, 'c'))
		churn();
	for (int i = 0; i < 10; i++)
		free(kept[i]);
	own(777);
	churn();
	if (strchr(kind, 'g') && fork() == 0) {
		usleep(400000);
		churn();
		free(kept[10]);
		own(555);
		exit(0);
	}
	wait(NULL);
	exit(0);
}

static pid_t
start_child(const char *kind)
{
	pid_t pid = -1;
	// From one place before the fork and behind it.
	for (int turn = 0; turn < 2 && pid <= 0; turn++) {
		both();
		pid = turn == 0 ? fork() : 0;
	}
	if (pid == 0)
		child(kind);
	waitpid(pid, NULL, 0);
	return pid;
}

static bool
has_log(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof(path), "pmem.%d.log", pid);
	return access(path, F_OK) == 0;
}

void
host(void)
{
	struct logfile log;

	if (!host_role()[0])
		return;
	for (int i = 0; i < KEPT; i++)
		inherit(i);
	// Young, and one that does nothing much.
	expect(!has_log(start_child("y")));
	pid_t lazy = fork();
	if (lazy == 0) {
		usleep(400000);
		own(100);
		exit(0);
	}
	waitpid(lazy, NULL, 0);
	expect(!has_log(lazy));

	pid_t pid = start_child("c");
	read_log_of(&log, pid);
	const struct log_snapshot *last = log_last(&log);
	expect(last->has_inherited);
	// And the block that was allocated before the first child.
	expect_equal(last->inherited, (KEPT - 10) * BYTES + 300);
	expect_equal(last->inherited_blocks, KEPT - 10 + 1);
	expect(log_sum(last, "(inherit+").allocs == 0);
	expect_equal(log_from(last, "own")->counts.live, 777);
	// One of these is from before.
	expect_equal(log_from(last, "both")->counts.live, 300 * 2);
	for (int i = 0; i < log.snapshot_count; i++)
		expect(log_by_id(&log.snapshots[i], "inherited") != NULL);
	const struct log_source *first = log_by_id(&log.snapshots[0], "inherited");
	const struct log_source *at_last = log_by_id(last, "inherited");
	expect_equal(at_last->counts.frees - first->counts.frees + first->counts.frees_more, 10);
	free(kept[0]);
}

void
check(const struct logfile *log)
{
	(void)log;
	expect_equal(run_again("parent", true, NULL), 0);
}
