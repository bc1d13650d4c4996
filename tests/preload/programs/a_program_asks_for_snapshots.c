// on each allocator
// pmem.h's pmem_snapshot() writes a snapshot at once, with what is live at that moment, exactly,
// and its label, and returns its number: many or few, in threads at once, in a child that was just
// forked. errno is left alone.

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmem.h"
#include "host.h"

enum { THREADS = 4, ROUNDS = 50 };
static const char LONGEST[] = "0123456789012345678901234567890123456789012345678901234567890123456789"
			      "012345678901234567890123456789";

FRAME void keep(int blocks) { while (blocks-- > 0) use(malloc(1000)); }
FRAME void keep_later(void) { use(malloc(1000)); }
FRAME void in_child_alone(void) { use(malloc(10)); }

static void *
thread(void *label)
{
	for (int i = 0; i < ROUNDS; i++) {
		long number = pmem_snapshot(label);
		expect(number > 4);
	}
	return NULL;
}

static void
in_child(void)
{
	in_child_alone();
	expect_equal((uint64_t)pmem_snapshot("in a child"), 0);
	_exit(0);
}

void
host(void)
{
	pthread_t threads[THREADS];
	char labels[THREADS][8];

	free(malloc(1));
	errno = 4242;
	expect_equal((uint64_t)pmem_snapshot("before all"), 0);
	keep(3);
	expect_equal((uint64_t)pmem_snapshot("after deploy"), 1);
	keep_later();
	expect_equal((uint64_t)pmem_snapshot("\xc3\xa4 \\ <\xf0\x9f\x90\x98>"), 2);
	expect_equal((uint64_t)pmem_snapshot(LONGEST), 3);
	expect_equal((uint64_t)pmem_reset(), 4);
	expect_equal((uint64_t)errno, 4242);
	for (int i = 0; i < THREADS; i++) {
		snprintf(labels[i], sizeof(labels[i]), "t%d", i);
		expect(pthread_create(&threads[i], NULL, thread, labels[i]) == 0);
	}
	for (int i = 0; i < THREADS; i++)
		expect(pthread_join(threads[i], NULL) == 0);
	pid_t child = fork();
	if (child == 0)
		in_child();
	char path[32];
	int status = -1;
	snprintf(path, sizeof(path), "pmem.%d.log", child);
	expect(waitpid(child, &status, 0) == child && status == 0 && symlink(path, "child.log") == 0);
}

void
check(const struct logfile *log)
{
	static const char *const labels[] = {"before\\x20all", "after\\x20deploy",
		"\\xc3\\xa4\\x20\\x5c\\x20<\\xf0\\x9f\\x90\\x98>", LONGEST, ""};
	int of_threads[THREADS] = {0};
	struct logfile child;

	for (int i = 0; i < 5; i++) {
		expect(strcmp(log->snapshots[i].label, labels[i]) == 0);
		expect(strcmp(log->snapshots[i].reason, i < 4 ? "asked" : "reset") == 0);
	}
	expect_equal(log_from(&log->snapshots[1], "keep")->counts.live, 3000);
	expect_equal(log->snapshots[1].total.live - log->snapshots[0].total.live, 3000);
	expect_equal(log_from(&log->snapshots[2], "keep_later")->counts.live, 1000);
	for (int i = 5; i < log->snapshot_count; i++)
		if (log->snapshots[i].label[0])
			of_threads[log->snapshots[i].label[1] - '0']++;
	for (int i = 0; i < THREADS; i++)
		expect_equal((uint64_t)of_threads[i], ROUNDS);
	read_log(&child, "child.log");
	expect_equal((uint64_t)child.snapshot_count, 1);
	expect(strcmp(child.snapshots[0].label, "in\\x20a\\x20child") == 0);
	expect_equal(log_from(&child.snapshots[0], "in_child_alone")->counts.live, 10);
}
