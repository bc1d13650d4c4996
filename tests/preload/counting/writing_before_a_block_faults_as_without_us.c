// of a kernel
// of glibc
// A program that writes before its large blocks meets what it meets without us: nothing of ours lies
// there, neither a thread's memo nor a table.

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host.h"

enum { BLOCK = 256 << 10, PAGE = 4096 };

FRAME void *give(void) { return malloc(100); }

static void *
churn(void *unused)
{
	for (int i = 0; i < 1000; i++)
		free(give());
	return unused;
}

// Roles: how many pages from the block's start; behind that an l where threads have come and gone before,
// and sources are known.
void
host(void)
{
	const char *role = host_role();
	pthread_t other;

	if (!role[0])
		return;
	// A thread's arena would lie here or there, by chance.
	expect(mallopt(M_ARENA_MAX, 1) == 1);
	if (strchr(role, 'l')) {
		churn(NULL);
		expect(pthread_create(&other, NULL, churn, NULL) == 0 && pthread_join(other, NULL) == 0);
	}
	volatile char *block = malloc(BLOCK);
	churn(NULL);
	block[atol(role) * PAGE] = 1;
}

void
check(const struct logfile *log)
{
	static const char *const roles[] = {"-1", "-2", "-4", "-8", "-15", "-1 l", "-2 l", "-8 l", "-15 l"};
	int faults = 0;

	(void)log;
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		int bare = run_again(roles[i], false, NULL);
		if (bare == 0)
			continue;
		faults++;
		int with_us = run_again(roles[i], true, NULL);
		if (with_us != bare)
			fprintf(stderr, "%s pages: %x instead of %x\n", roles[i], (unsigned)with_us,
				(unsigned)bare);
		expect_equal((uint64_t)with_us, (uint64_t)bare);
	}
	printf("figure: %d writes fault\n", faults);
	expect(faults > 4);
}
