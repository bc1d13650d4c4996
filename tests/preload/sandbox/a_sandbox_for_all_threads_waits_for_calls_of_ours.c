// of a kernel
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// A thread that puts all into a sandbox (TSYNC) while another is about to make a system call of ours, which
// the sandbox would end the program for: the call is made before, and none after.

#include <pthread.h>
#include <stdlib.h>

#include "host.h"
#include "seccomp.h"
#include "shim.h"

static volatile bool is_armed, is_at_call, main_waits, is_in;
static __thread bool is_main;

// The other thread stays at its call until main waits, or is in.
static long
shim_call(long number, const long *arguments)
{
	if (is_main) {
		main_waits |= is_at_call && number == SYS_nanosleep;
		return 0;
	}
	if (is_armed && number == SYS_rt_sigprocmask && (int)arguments[0] == -1) {
		is_armed = false;
		is_at_call = true;
		while (!main_waits && !is_in)
			usleep(1000);
	}
	return 0;
}

FRAME void *give(void) { return malloc(100); }

FRAME void *
other(void *unused)
{
	is_armed = true;
	for (int i = 0; i < 1000; i++)
		use(give());
	return unused;
}

void
host(void)
{
	long (*ours)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	pthread_t thread;

	// The question whether something can be read ends the program.
	seccomp_begin();
	seccomp_rule_of(SYS_rt_sigprocmask, -1, SECCOMP_RET_KILL_PROCESS);
	struct sock_fprog program = seccomp_program(SECCOMP_RET_ALLOW);
	is_main = true;
	expect(ours != NULL && pthread_create(&thread, NULL, other, NULL) == 0);
	while (!is_at_call)
		usleep(1000);
	expect(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	expect(ours(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0);
	is_in = true;
	expect(pthread_join(thread, NULL) == 0);
}

void
check(const struct logfile *log)
{
	expect_equal(log_from(log_last(log), "give")->counts.blocks, 1000);
}
