// of x86-64
// Threads allocate under code made at run time, whose call frame information is registered with
// the C++ runtime among much else, so that it is looked for there most of the time. A fork's
// child can throw: the runtime's lock is free in it.

#include <stdlib.h>

#include "host.h"
#include "runtimecode.h"

enum { FORKS = 100, OTHERS = 3000 };

FRAME void give(void)
{
	void *block = malloc(16);
	use(block);
	free(block);
}

static void
churn(void)
{
	runtime_code(give);
}

void
host(void)
{
	runtime_code_start(OTHERS);
	// As a throw does.
	runtime_code_forks(FORKS, churn, runtime_code_look_up);
}

void
check(const struct logfile *log)
{
	expect_equal(log_loss(log_last(log), "nested"), 0);
	expect_equal(log_loss(log_last(log), "untracked_frees"), 0);
}
