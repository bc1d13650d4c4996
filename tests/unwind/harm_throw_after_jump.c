// of x86-64
// A handler leaves by siglongjmp() whenever it comes while the C++ runtime is looked into, for code
// made at run time under which the program allocates. The program can throw after that: the
// runtime's lock is free.

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "host.h"
#include "runtimecode.h"

enum { SIGNALS = 200, OTHERS = 3000 };

static sigjmp_buf out;
static volatile int signals;
static volatile bool may_leave;

FRAME void give(void)
{
	void *block = malloc(16);
	use(block);
	free(block);
}

// Out of the runtime alone: glibc's malloc() may not be left.
static void
on_timer(int number, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;
	(void)number, (void)info;
	signals++;
	if (may_leave && runtime_code_is_runtime((uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP]))
		siglongjmp(out, 1);
}

void
host(void)
{
	struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct itimerval timer = {{0, 1000}, {0, 1000}};

	runtime_code_start(OTHERS);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	if (sigsetjmp(out, 1) == 0) {
		may_leave = true;
		while (signals < SIGNALS)
			runtime_code(give);
	}
	may_leave = false;
	timer = (struct itimerval){0};
	setitimer(ITIMER_REAL, &timer, NULL);
	signal(SIGALRM, SIG_DFL);
	alarm(10);
	// As a throw does.
	expect(runtime_code_look_up());
	alarm(0);
	expect(signals >= SIGNALS);
	tally("faults", SIGNALS);
}

void
check(const struct logfile *log)
{
	(void)log;
}
