// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// A fork while another thread is inside the loader: its lock is held for ever in the child,
// which all the same allocates, writes its log with names, and ends.

#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { FORKS = 5 };
static int inside, done;

FRAME void childs_own(void) { use(malloc(4321)); }

static int
stay(struct dl_phdr_info *loaded, size_t bytes, void *unused)
{
	(void)loaded, (void)bytes, (void)unused;
	__atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		usleep(100);
	return 1;
}

static void *
visit(void *unused)
{
	dl_iterate_phdr(stay, NULL);
	return unused;
}

static void
child(void)
{
	alarm(100);
	childs_own();
	for (int i = 0; i < 10; i++)
		free(malloc(10));
	exit(0);
}

void
host(void)
{
	pthread_t visitor;
	int status;
	struct logfile log;

	for (int i = 0; i < FORKS; i++) {
		inside = done = 0;
		expect(pthread_create(&visitor, NULL, visit, NULL) == 0);
		while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE))
			usleep(100);
		pid_t pid = fork();
		if (pid == 0)
			child();
		expect(waitpid(pid, &status, 0) == pid);
		__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
		pthread_join(visitor, NULL);
		expect_equal((uint64_t)status, 0);
		read_log_of(&log, pid);
		expect_equal(log_from(log_last(&log), "childs_own")->counts.live, 4321);
	}
	tally("faults", FORKS);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 0);
}
