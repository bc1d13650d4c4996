// long
// pmem: -DPMEM_SAMPLE_BYTES=3000 -DPMEM_CHURN_THRESH=200000
// of a kernel
// on each allocator
// Where blocks are sampled, those that the allocator has no memory for are in no sum of bytes and calls.

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "host.h"

enum { MOST = 1000000, FAILURES = 1000, BYTES = 300 };

static void **given[3];
static uint64_t allocs, failures;

static void *
allocate(int how)
{
	switch (how) {
	case 0: return malloc(BYTES);
	case 1: return calloc(3, BYTES / 3);
	default: return realloc(NULL, BYTES);
	}
}

void
host(void)
{
	struct rlimit was, low = {1 << 20, RLIM_INFINITY};
	bool idle = strcmp(host_role(), "nothing") == 0;

	use(malloc(100000));
	getrlimit(RLIMIT_AS, &was);
	setrlimit(RLIMIT_AS, &low);
	for (int how = 0; how < 3 && !idle; how++)
		for (int i = 0, failed = 0; i < MOST && failed < FAILURES; i++) {
			void **block = allocate(how);
			failed += !block;
			allocs += block != NULL;
			failures += !block;
			if (!block)
				continue;
			*block = given[how];
			given[how] = block;
		}
	setrlimit(RLIMIT_AS, &was);
	leave_number("allocs", allocs);
	leave_number("failures", failures);
}

void
check(const struct logfile *log)
{
	struct logfile idle;
	uint64_t given_allocs = left_number("allocs");

	expect_equal(left_number("failures"), 3 * FAILURES);
	expect(run_again("nothing", true, NULL) == 0);
	read_log_of(&idle, again_pid);
	const struct log_counts *is = &log_last(log)->exact, *none = &log_last(&idle)->exact;
	expect_equal(is->allocs - none->allocs, given_allocs);
	expect_equal(is->alloc - none->alloc, given_allocs * BYTES);
	expect_equal(is->frees, none->frees);
}
