// pmem: -DPMEM_SNAPSHOT_SIGNAL=SIGUSR2
// A program that was started to ignore the chosen signal, or sets a handler for it later, keeps
// it so; else, raised by many threads at a time, it makes no system call fail, and loses nothing.

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

// Signals that come while one is pending, or while a snapshot is written, are one: how many of them
// is a matter of time. Not so of the first: before each of these the threads wait for each other,
// so that nothing is pending or written, and at least one of the four has its block.
enum { THREADS = 4, RAISES = 500, TOGETHER = 200 };
static pthread_barrier_t all_wait;
static int own;
static void on_own(int number) { own += number != 0; }

FRAME void *raises(void *unused)
{
	for (int i = 0; i < RAISES; i++) {
		if (i < TOGETHER)
			pthread_barrier_wait(&all_wait);
		raise(SIGUSR2);
		free(malloc(100));
	}
	return unused;
}

static void *
sends(void *pipe_end)
{
	usleep(20000);
	kill(getpid(), SIGUSR2);
	usleep(20000);
	expect(write(*(int *)pipe_end, "x", 1) == 1);
	return NULL;
}

void
host(void)
{
	pthread_t threads[THREADS];
	struct sigaction now;
	int ends[2];
	char byte;

	sigaction(SIGUSR2, NULL, &now);
	if (host_role()[0]) {
		// Ignored it came through exec, and ignored it is.
		expect(now.sa_handler == SIG_IGN);
		raise(SIGUSR2);
		free(malloc(1));
		return;
	}
	expect((now.sa_flags & SA_RESTART) && now.sa_handler != SIG_DFL);
	pthread_barrier_init(&all_wait, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, raises, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	expect(pipe(ends) == 0);
	pthread_create(&threads[0], NULL, sends, &ends[1]);
	expect(read(ends[0], &byte, 1) == 1);
	pthread_join(threads[0], NULL);
	signal(SIGUSR2, on_own);
	raise(SIGUSR2);
	expect_equal((uint64_t)own, 1);
	use(malloc(7));
}

void
check(const struct logfile *log)
{
	struct logfile ignoring;
	int asked = 0;

	const struct log_snapshot *last = log_last(log);
	for (int i = 0; i < log->snapshot_count; i++)
		asked += strcmp(log->snapshots[i].reason, "signal") == 0;
	printf("figure: %d blocks asked for by %d signals\n", asked, THREADS * RAISES);
	expect(asked >= TOGETHER && log->snapshot_count <= THREADS * RAISES + 3);
	expect_equal(log_from(last, "host")->counts.live, 7);
	expect_equal(log_loss(last, "nested"), 0);

	signal(SIGUSR2, SIG_IGN);
	expect_equal((uint64_t)run_again("ignoring", true, NULL), 0);
	read_log_of(&ignoring, again_pid);
	expect_equal((uint64_t)ignoring.snapshot_count, 1);
}
