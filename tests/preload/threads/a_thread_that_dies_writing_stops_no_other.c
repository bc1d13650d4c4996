// long
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1 -DPMEM_LOG_FALLBACK_DIR="/tmp/pmem-test-dies"
// A thread that ends without a word (the exit system call) at any point of a block: others
// go on with the next, behind a header where half a block stands; its descriptors are closed,
// also those of a place that was only tried.

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "host.h"
#include "shim.h"
#include "threads.h"

#define FALLBACK "/tmp/pmem-test-dies"

enum { POINTS = 200 }; // more than a block has
static volatile int point = -1; // how many calls to let pass before the thread dies
static volatile int died;

static long
shim_call(long number, const long *arguments)
{
	if (point < 0 || point-- != 0)
		return 0;
	died++;
	if (number == SYS_write)
		expect(write((int)arguments[0], (void *)arguments[1], (size_t)arguments[2] / 2) > 0);
	__asm__ volatile("" : : : "memory");
	// Not by syscall(), which is ours here.
	long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(SYS_exit, 0);
}

static void *
die_at(void *at)
{
	void *block = malloc(100);
	point = (int)(intptr_t)at;
	free(block);
	point = -1;
	return NULL;
}

// By the next snapshot. For a moment after it was joined the kernel still knows a thread: while it
// does, nobody takes over what it was at.
static void
expect_closed(int before)
{
	free(malloc(100));
	for (int i = 0; i < 1000 && descriptors_open() != before; i++) {
		usleep(1000);
		free(malloc(100));
	}
	expect_equal(descriptors_open(), before);
}

static pthread_barrier_t planted;

static void *
die_when_planted(void *at)
{
	pthread_barrier_wait(&planted);
	point = (int)(intptr_t)at;
	free(malloc(100));
	point = -1;
	return NULL;
}

// In a fork's child: the place where its log was, and the one after that, are refused to it.
static void
die_trying(intptr_t at)
{
	struct mortal thread;
	char path[64];
	int before = descriptors_open();

	pthread_barrier_init(&planted, NULL, 2);
	mortal_start(&thread, die_when_planted, (void *)at);
	for (int folder = 0; folder < 2; folder++) {
		snprintf(path, sizeof(path), "%spmem.%d.log", folder ? FALLBACK "/" : "", getpid());
		// Kept: another file might get its number.
		rename(path, "aside");
		int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
		expect(fd >= 0 && fchmod(fd, 0644) == 0 && close(fd) == 0);
	}
	pthread_barrier_wait(&planted);
	mortal_outlive(&thread);
	point = -1;
	expect_closed(before);
	_exit(0);
}

static void
host_of_children(void)
{
	int status;

	for (intptr_t at = 0; at < POINTS; at++) {
		pid_t pid = fork();
		if (pid == 0)
			die_trying(at);
		expect(waitpid(pid, &status, 0) == pid && status == 0);
	}
}

void
host(void)
{
	struct mortal thread;

	if (strcmp(host_role(), "children") == 0)
		host_of_children();
	if (strcmp(host_role(), "threads") != 0)
		return;
	int before = descriptors_open();
	for (intptr_t at = 0; at < POINTS; at++) {
		mortal_start(&thread, die_at, (void *)at);
		mortal_outlive(&thread);
		point = -1;
		expect_closed(before);
	}
	expect(died > 20 && died < POINTS);
}

void
check(const struct logfile *log)
{
	struct logfile all;
	char path[64];

	(void)log;
	expect_equal(run_again("threads", true, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	expect_equal(log_read(&all, path, stderr), 0);
	const struct log_snapshot *last = log_last(&all);
	expect(strcmp(last->reason, "exit") == 0);
	expect_equal(all.torn, 1);
	// None that was whole is missing.
	expect_equal((uint64_t)all.snapshot_count, last->number + 1);
	expect(all.headers > 1 && all.run_count == 1);
	// Each thread's own, and what starting it took.
	expect(last->total.allocs >= 2 * POINTS);
	printf("figure: died at all points of a block\n");

	expect(system("rm -rf " FALLBACK) == 0 && mkdir(FALLBACK, 0700) == 0);
	expect_equal(run_again("children", true, NULL), 0);
	expect(system("rm -rf " FALLBACK) == 0);
}
