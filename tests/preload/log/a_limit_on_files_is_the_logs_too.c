// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// Where files may be no larger than a hundred KiB the log is rotated there, and nothing is lost.

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

enum { LIMIT = 100 << 10 };

void
host(void)
{
	if (!host_role()[0])
		return;
	for (int i = 0; i < 40000; i++)
		free(malloc(1000));
}

void
check(const struct logfile *log)
{
	static const struct rlimit limit = {LIMIT, LIMIT};
	struct logfile piece;
	struct stat file;
	char path[80];

	(void)log;
	expect(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	expect_equal(run_again("limited", true, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log.1", again_pid);
	expect(stat(path, &file) == 0 && file.st_size <= LIMIT && file.st_size > LIMIT / 2);
	read_log_of(&piece, again_pid);
	expect_equal(log_loss(log_last(&piece), "snapshots_dropped"), 0);
	expect(log_last(&piece)->total.allocs >= 40000);
}
