// pmem: -DPMEM_CHURN_THRESH=8192 -DPMEM_LOG_HOURS=0
// What is done in a fork's child before it goes on is a bounded number of system calls,
// however many threads and sources its parent had.

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { THREADS = 40, AT_MOST = 20 };

static void *
thread(void *unused)
{
	for (int i = 0; i < 200; i++)
		use(malloc(100));
	return unused;
}

// Traced from its first instruction on, as children of a traced process are.
static void
forker(void)
{
	pthread_t ids[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&ids[i], NULL, thread, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	pid_t child = fork();
	if (child == 0) {
		// The mark at which counting ends.
		syscall(SYS_sched_yield);
		_exit(0);
	}
	_exit(child < 0);
}

static int
calls_until_mark(pid_t child)
{
	struct __ptrace_syscall_info info;
	int status;
	int calls = 0;
	for (;;) {
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		expect(waitpid(child, &status, __WALL) == child && WIFSTOPPED(status));
		if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			continue;
		expect(ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), &info) > 0);
		if (info.op != PTRACE_SYSCALL_INFO_ENTRY)
			continue;
		if (info.entry.nr == SYS_sched_yield)
			return calls;
		calls++;
	}
}

void
host(void)
{
	unsigned long child = 0;
	int status;
	pid_t pid = fork();
	if (pid == 0)
		forker();
	expect(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	expect(ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACEFORK | PTRACE_O_TRACESYSGOOD) == 0);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	expect(waitpid(pid, &status, 0) == pid && status >> 8 == (SIGTRAP | PTRACE_EVENT_FORK << 8));
	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &child);
	expect(waitpid((pid_t)child, &status, __WALL) == (pid_t)child);
	int calls = calls_until_mark((pid_t)child);
	printf("figure: %d system calls in a fork's child\n", calls);
	fflush(stdout);
	expect(calls > 0 && calls <= AT_MOST);
	kill((pid_t)child, SIGKILL);
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	free(malloc(20000));
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 0);
}
