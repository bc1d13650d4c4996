// Threads allocate under code made at run time, whose call frame information is registered with
// the C++ runtime among much else, so that it is looked for there most of the time. A fork's
// child can throw: the runtime's lock is free in it.

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "runtimecode.h"

enum { FORKS = 100, OTHERS = 3000 };

static int done;

FRAME void give(void)
{
	void *block = malloc(16);
	use(block);
	free(block);
}

static void *
churn(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		runtime_code(give);
	return unused;
}

void
host(void)
{
	pthread_t threads[2];

	runtime_code_start(OTHERS);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, churn, NULL);
	for (int i = 0; i < FORKS; i++) {
		int status = -1;
		pid_t pid = fork();
		if (pid == 0) {
			alarm(5);
			// As a throw does.
			_exit(runtime_code_look_up() ? 0 : 1);
		}
		expect(waitpid(pid, &status, 0) == pid);
		expect_equal((uint64_t)status, 0);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	tally("faults", FORKS);
}

void
check(const struct logfile *log)
{
	expect_equal(log_loss(log_last(log), "nested"), 0);
	expect_equal(log_loss(log_last(log), "untracked_frees"), 0);
}
