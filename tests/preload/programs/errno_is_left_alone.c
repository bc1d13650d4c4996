// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// Allocating and freeing leave errno as it was, while snapshots are written and when they
// cannot be.

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

static void
churn(void)
{
	for (int i = 0; i < 100; i++) {
		errno = 4000 + i;
		void *block = malloc(10);
		expect_equal(errno, 4000 + i);
		block = realloc(block, 10000);
		expect_equal(errno, 4000 + i);
		free(block);
		expect_equal(errno, 4000 + i);
	}
}

void
host(void)
{
	// mimalloc's first one sets it, without us, too.
	free(malloc(1));
	churn();
	// No more than what is there already: SIGXFSZ would end us.
	struct rlimit none = {4096, 4096};
	expect(setrlimit(RLIMIT_FSIZE, &none) == 0);
	churn();
	struct rlimit files = {0, 0};
	expect(setrlimit(RLIMIT_NOFILE, &files) == 0);
	churn();
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count >= 1);
	struct stat file;
	expect(stat(host_log, &file) == 0);
}
