// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_FILES=5 -DLOG_QUOTA_YOUNG_MS=1500
// Where PMEM_LOG_FILES logs lie, a short process leaves none, not even an empty one, and deletes
// none; one that has run for longer begins its log with a note of how many there are, and what it
// did before is in its first snapshot. One that has a log already goes on in it.

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

FRAME void
early(void)
{
	for (int i = 0; i < 10; i++)
		use(malloc(5000));
}

FRAME void
late(void)
{
	use(malloc(5000));
}

static void
fork_one(void)
{
	if (fork() == 0) {
		late();
		exit(0);
	}
	wait(NULL);
}

void
host(void)
{
	const char *role = host_role();

	early();
	if (strcmp(role, "exec") == 0) {
		become_again("again");
	} else if (strcmp(role, "long") == 0) {
		usleep(1600000);
		late();
	} else if (strcmp(role, "fork") == 0) {
		usleep(1600000);
		late();
		fork_one();
	}
}

static int
logs_after(const char *role)
{
	expect_equal(run_again(role, true, NULL), 0);
	return count_files("pmem.");
}

static bool
is_note(const char *note)
{
	char folder[4096], expected[4200];
	expect(getcwd(folder, sizeof(folder)) != NULL);
	snprintf(expected, sizeof(expected), "7 logs lie in %s: ", folder);
	return strncmp(note, expected, strlen(expected)) == 0;
}

void
check(const struct logfile *host_log_read)
{
	struct logfile log;

	// The host's own is the first.
	expect_equal(host_log_read->note_count, 0);
	expect_equal((uint64_t)logs_after("short"), 2);
	// Names that are none of ours, and some that are.
	static const char *const names[] = {"pmem.x", "xpmem.1.log", "pmem.2.lo", "pmemlog",
		"pmem.90000001.log", "pmem.90000001.log.1"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		fclose(fopen(names[i], "w"));
	int others = 2;
	expect_equal((uint64_t)logs_after("short"), (uint64_t)(5 + others));
	expect_equal((uint64_t)logs_after("short"), (uint64_t)(5 + others));
	expect_equal((uint64_t)logs_after("exec"), (uint64_t)(5 + others));
	// Both runs of a process that has its log.
	expect_equal((uint64_t)unlink("pmem.90000001.log"), 0);
	expect_equal((uint64_t)logs_after("exec"), (uint64_t)(5 + others));
	read_log_of(&log, again_pid);
	expect_equal(log.run_count, 2);
	fclose(fopen("pmem.90000001.log", "w"));
	fclose(fopen("pmem.90000002.log", "w"));

	logs_after("fork");
	read_log_of(&log, again_pid);
	expect_equal(log.run_count, 1);
	expect_equal(log.note_count, 1);
	expect(is_note(log.notes[0]));
	expect_equal(log.snapshots[0].number, 0);
	expect(log.snapshots[0].churn >= 55000);
	expect_equal(log_from(&log.snapshots[0], "early")->counts.blocks, 10);
	expect_equal(log_from(&log.snapshots[0], "late")->counts.blocks, 1);
	expect_equal(log_loss(log_last(&log), "snapshots_dropped"), 0);
	expect_equal((uint64_t)count_files("pmem."), (uint64_t)(8 + others));
}
