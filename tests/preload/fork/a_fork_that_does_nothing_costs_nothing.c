// of a kernel
// A child that is forked and ends, by _exit() or exit(), touches a few pages of ours, however many
// threads counted from however many sources: what it inherited is summed up for its first snapshot,
// which it may never write. If it does that counts from the fork on, to the byte.

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "manystacks.h"

enum { THREADS = 20, LEVELS = 12, SOURCES = 1 << LEVELS, FORKS = 20, FAULTS = 80 };

FRAME void in_child(void) { use(malloc(4321)); }
FRAME void *in_parent(void) { return malloc(1000); }

// Page faults, on average.
static long
faults_of_a_child(void (*end)(int))
{
	struct rusage usage;
	long faults = 0;
	int status;

	for (int i = 0; i < FORKS; i++) {
		pid_t pid = fork();
		if (pid == 0)
			end(0);
		expect(wait4(pid, &status, 0, &usage) == pid && status == 0);
		faults += usage.ru_minflt;
	}
	return faults / FORKS;
}

static void
child(void *from_parent)
{
	in_child();
	free(from_parent);
	exit(0);
}

void
host(void)
{
	int status = -1;

	if (!host_role()[0])
		return;
	many_start(THREADS, LEVELS);
	void *block = in_parent();
	use(block);
	printf("%ld\n", faults_of_a_child(_exit) + faults_of_a_child(exit));
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0)
		child(block);
	expect(waitpid(pid, &status, 0) == pid && status == 0);
	leave_number("child", (uint64_t)pid);
	many_end();
}

void
check(const struct logfile *none)
{
	struct logfile log;

	(void)none;
	expect_equal(run_again("without", false, "without"), 0);
	expect_equal(run_again("with", true, "with"), 0);
	long without = strtol(read_file("without"), NULL, 10);
	long with = strtol(read_file("with"), NULL, 10);
	printf("figure: %ld page faults of two children, %ld without us\n", with, without);
	expect(with <= without + FAULTS);

	read_log_of(&log, (pid_t)left_number("child"));
	expect_equal(log.snapshot_count, 1);
	const struct log_snapshot *last = log_last(&log);
	const struct log_source *own = log_from(last, "in_child");
	expect_equal(own->counts.live, 4321);
	expect_equal(own->counts.alloc_more, 4321);
	const struct log_source *inherited = log_by_id(last, "inherited");
	expect_equal(inherited->counts.alloc_more, 0);
	expect_equal(inherited->counts.free_more, 1000);
	expect(last->total.allocs > THREADS * SOURCES);
	expect(last->churn >= 5321 && last->churn < 10000);
}
