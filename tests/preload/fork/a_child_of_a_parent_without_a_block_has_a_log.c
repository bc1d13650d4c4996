// A program that forks before it has allocated anything: its children inherit no counts, and
// what each of them allocates is in a log of its own.

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { CHILDREN = 3, BLOCKS = 5000 };

FRAME void *kept(void) { void *p = malloc(1000); use(p); return p; }

void
host(void)
{
	for (int i = 0; i < CHILDREN; i++) {
		if (fork() == 0)
			break;
	}
	for (int i = 0; i < BLOCKS; i++)
		kept();
	while (wait(NULL) > 0)
		;
}

void
check(const struct logfile *log)
{
	expect_equal(log_from(log_last(log), "kept")->counts.blocks, BLOCKS);
	expect_equal((uint64_t)count_files("pmem."), CHILDREN + 1);
}
