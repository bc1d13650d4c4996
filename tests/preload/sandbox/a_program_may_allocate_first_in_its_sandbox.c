// of a kernel
// A sandbox ends the program for the question of ours whether something can be read. Set before the program's
// first block, it is never asked: neither as recording begins, nor where the first stack leads into the C library.

#include <stdlib.h>

#include "host.h"
#include "seccomp.h"

FRAME void *give(void) { return malloc(100); }

void
host(void)
{
	seccomp_begin();
	seccomp_rule_of(SYS_rt_sigprocmask, -1, SECCOMP_RET_KILL_PROCESS);
	expect(seccomp_end(SECCOMP_RET_ALLOW, false));
	for (int i = 0; i < 1000; i++)
		use(give());
}

void
check(const struct logfile *log)
{
	expect_equal(log_from(log_last(log), "give")->counts.blocks, 1000);
}
