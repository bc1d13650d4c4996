// exec keeps the process id: the new program's run begins with a header of its own, in the
// same file.

#include <stdlib.h>

#include "host.h"

void
host(void)
{
	for (int i = 0; i < 3; i++)
		free(malloc(1 << 20));
	if (host_role()[0] == '2')
		return;
	become_again(host_role()[0] == '1' ? "2" : "1");
}

void
check(const struct logfile *log)
{
	expect_equal(log->run_count, 3);
	expect_equal(count_files("pmem."), 1);
	for (int i = 0; i < 3; i++)
		expect_equal(log->runs[i].pid, host_pid);
	expect_equal(log_last(log)->run, 2);
}
