// long
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_MAX_BYTES=1048576
// Ten thousand snapshots leave no descriptor open and no memory behind.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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

// KiB of memory that belongs to no file, read without allocating: a new source takes room.
// (statm would do, but lags behind by up to 64 pages a thread.)
static long
anonymous(void)
{
	char text[4096] = "";
	long kilobytes = -1;
	int fd = open("/proc/self/smaps_rollup", O_RDONLY);
	expect(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	expect(sscanf(strstr(text, "Anonymous:"), "Anonymous: %ld", &kilobytes) == 1);
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
	int open_before = 0;
	long kilobytes = 0;

	// The first half is long enough for the log to rotate and for all pages to be touched.
	// Both halves are the same source: one call.
	for (int half = 0; half < 2; half++) {
		churn(5000);
		int now = descriptors();
		long resident = anonymous();
		if (half == 1) {
			expect_equal(now, open_before);
			printf("figure: %ld KiB more after 10,000 blocks\n", resident - kilobytes);
			fflush(stdout);
			expect_equal(resident, kilobytes);
		}
		open_before = now;
		kilobytes = anonymous();
	}
}

void
check(const struct logfile *log)
{
	expect(log_last(log)->number >= 10000);
	expect_equal(log_loss(log_last(log), "snapshots_dropped"), 0);
}
