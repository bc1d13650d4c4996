// pmem: -DPMEM_CHURN_THRESH=8192 -DPMEM_LOG_HOURS=0
// Processes made by _Fork() and by a bare clone(), of which the fork handlers know nothing,
// are processes of their own in the log, with exact totals; so are their children by fork().

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

// musl's malloc() has one lock, which a copy takes over as it is: no other thread may be inside of it then.
#ifdef __GLIBC__
enum { ONE_LOCK = 0 };
#else
enum { ONE_LOCK = 1 };
#endif
enum { ROUNDS = 60 };
static int done;

static void
inside_malloc(int (*lock_or_unlock)(pthread_mutex_t *))
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	if (ONE_LOCK)
		lock_or_unlock(&lock);
}

FRAME void in_parent(void) { use(malloc(1111)); }
FRAME void *in_copy(void)
{
	void *block = malloc(2222);
	use(block);
	return block;
}

static pid_t
copy_of_us(int how)
{
	inside_malloc(pthread_mutex_lock);
	pid_t pid = how == 0 ? _Fork()
		: (pid_t)syscall(SYS_clone, SIGCHLD | (how == 1 ? 0 : CLONE_FILES), 0, 0, 0, 0);
	inside_malloc(pthread_mutex_unlock);
	return pid;
}

static void
child(int round)
{
	int status = -1;
	for (int i = 0; i < 500; i++)
		free(malloc(100));
	in_copy();
	if (round % 3 == 0) {
		pid_t pid = fork();
		if (pid == 0)
			in_copy();
		else
			expect(waitpid(pid, &status, 0) == pid && status == 0);
	}
	exit(0);
}

// Writes blocks all the time, in an arena of glibc's that no copy has any use for.
static void *
churn(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
		inside_malloc(pthread_mutex_lock);
		free(malloc(100));
		inside_malloc(pthread_mutex_unlock);
	}
	return unused;
}

static void
check_child(pid_t pid, uint64_t parents)
{
	struct logfile log;
	read_log_of(&log, pid);
	expect_equal(log.runs[0].pid, pid);
	expect_equal(log.runs[0].forked_from, getpid());
	expect_equal(log.snapshots[0].number, 0);
	expect_equal(log_last(&log)->reason[0], 'e');
	expect_equal(log_from(log_last(&log), "in_copy")->counts.live, 2222);
	// What a copy has not allocated since its parent's last snapshot is there in one sum.
	uint64_t own = log_sum(log_last(&log), "(in_parent+").live;
	expect(own <= parents * 1111 && own + log_last(&log)->inherited >= parents * 1111);
}

// A copy has the names that its parent knew.
static void
make_names_known(void)
{
	void *block = in_copy();
	for (int i = 0; i < 2000; i++)
		free(malloc(100));
	usleep(100000);
	free(block);
}

void
host(void)
{
	pthread_t thread;
	expect(pthread_create(&thread, NULL, churn, NULL) == 0);
	for (int round = 0; round < ROUNDS; round++) {
		int status = -1;
		in_parent();
		if (round == 0)
			make_names_known();
		pid_t pid = copy_of_us(round % 3);
		if (pid == 0)
			child(round);
		expect(waitpid(pid, &status, 0) == pid && status == 0);
		check_child(pid, (uint64_t)round + 1);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

void
check(const struct logfile *log)
{
	expect_equal(count_files("pmem."), 1 + ROUNDS + ROUNDS / 3);
	// One that shares our descriptors leaves ours alone.
	expect_equal(log_loss(log_last(log), "snapshots_dropped"), 0);
	expect_equal(log_from(log_last(log), "in_copy") == NULL, 1);
	expect_equal(log_from(log_last(log), "in_parent")->counts.live, ROUNDS * 1111);
}
