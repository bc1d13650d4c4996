// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_MIN_INTERVAL_MS=0 -DPMEM_LOG_MAX_BYTES=1048576
// Ten thousand snapshots leave no descriptor open and no memory behind.

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

static int
descriptors(void)
{
	int count = 0;
	for (int fd = 0; fd < 1024; fd++)
		count += lseek(fd, 0, SEEK_CUR) >= 0 || dup2(fd, fd) == fd;
	return count;
}

// KiB of memory that belongs to no file. (statm lags behind by up to 64 pages a thread.)
static long
anonymous(void)
{
	char line[256];
	long kilobytes = -1;
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	while (fgets(line, sizeof(line), file))
		sscanf(line, "Anonymous: %ld", &kilobytes);
	fclose(file);
	expect(kilobytes > 0);
	return kilobytes;
}

static void
churn(int rounds)
{
	for (int i = 0; i < rounds; i++)
		free(malloc(50));
}

void
host(void)
{
	// Long enough for the log to rotate once: what it needs for that is not growth.
	churn(5000);
	int before = descriptors();
	// The first asks for the C library's own pages.
	long kilobytes = anonymous();
	kilobytes = anonymous();
	churn(5000);
	expect_equal(descriptors(), before);
	long more = anonymous() - kilobytes;
	printf("figure: %ld KiB more after 10,000 blocks\n", more);
	fflush(stdout);
	expect(more <= 8);
}

void
check(const struct logfile *log)
{
	expect(log_last(log)->number >= 10000);
	expect_equal(log_loss(log_last(log), "blocks_dropped"), 0);
}
