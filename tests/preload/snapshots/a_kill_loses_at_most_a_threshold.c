// long
// pmem: -DPMEM_CHURN_THRESH=8192 -DPMEM_LOG_HOURS=0
// Killed at any moment, a program leaves whole snapshots, at most the last one cut off. What a
// single thread did since the last whole one is less than a threshold, a step and a call.

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { ROUNDS = 500, THRESHOLD = 8192, STEP = THRESHOLD / 64, CALL_MAX = 2000 };
static uint64_t *done; // bytes of the single thread's calls that have returned, in a file
static struct {
	unsigned long snapshots, torn, none;
} *seen;

static void *
map_file(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0600);
	expect(fd >= 0 && ftruncate(fd, 4096) == 0);
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	expect(page != MAP_FAILED);
	close(fd);
	return page;
}

static void *
churn(void *counts)
{
	for (uint64_t seed = 1;; seed = seed * 6364136223846793005 + 1442695040888963407) {
		size_t bytes = 1 + (seed >> 33) % CALL_MAX;
		void *block = malloc(bytes);
		*done += counts ? bytes : 0;
		free(block);
		*done += counts ? bytes : 0;
	}
	return NULL;
}

static void
work(bool threads)
{
	pthread_t thread;
	done = map_file(host_role());
	for (int i = 0; threads && i < 3; i++)
		pthread_create(&thread, NULL, churn, NULL);
	churn(threads ? NULL : done);
}

static void
check_killed(pid_t pid, const char *role)
{
	char path[64];
	struct logfile log;
	snprintf(path, sizeof(path), "pmem.%d.log", pid);
	expect(log_read(&log, path, stderr) <= 0 && log.torn <= 1);
	const struct log_snapshot *last = log_last(&log);
	seen->snapshots += (unsigned long)log.snapshot_count;
	seen->torn += (unsigned long)log.torn;
	seen->none += !last;
	if (role[0] == '1') {
		uint64_t logged = last ? last->total.alloc + last->total.free : 0;
		done = map_file(role);
		expect(*done < logged + THRESHOLD + STEP + CALL_MAX);
		expect(logged <= *done + CALL_MAX);
	}
	unlink(path);
	unlink(role);
	_exit(0);
}

void
host(void)
{
	if (host_role()[0])
		work(host_role()[0] == 'n');
}

void
check(const struct logfile *log)
{
	expect_equal(log->run_count, 0);
	srandom(1);
	seen = map_file("seen");
	for (int round = 0; round < ROUNDS; round++) {
		// One with a single thread, and one with four, or with one as well.
		const char *roles[] = {"1a", round % 3 == 0 ? "nb" : "1b"};
		pid_t pids[2];
		for (int i = 0; i < 2; i++)
			pids[i] = start_again(roles[i]);
		for (int i = 0; i < 2; i++) {
			usleep((useconds_t)(random() % 10000));
			kill(pids[i], SIGKILL);
		}
		for (int i = 0; i < 2; i++) {
			int status = -1;
			waitpid(pids[i], NULL, 0);
			// In a process of its own, which takes the log's contents with it.
			pid_t checker = fork();
			if (checker == 0)
				check_killed(pids[i], roles[i]);
			expect(waitpid(checker, &status, 0) == checker && status == 0);
		}
	}
	tally("faults", 2 * ROUNDS);
	printf("figure: %d kills, %lu blocks parsed, %lu cut off, %lu before any block\n",
		2 * ROUNDS, seen->snapshots, seen->torn, seen->none);
}
