// pmem: -DPMEM_LOG_MAX_BYTES=65536 -DPMEM_LOG_KEEP=2 -DPMEM_LOG_HOURS=0 -DPMEM_CHURN_THRESH=4096
// The log never exceeds its limit, nor do the old ones exceed their number; each begins
// with the header and the modules, and can be read alone.

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host.h"

void
host(void)
{
	for (int i = 0; i < 3000; i++) {
		free(malloc(4000));
		use(malloc(1));
	}
}

void
check(const struct logfile *log)
{
	struct logfile old[2];
	struct stat file;
	char path[80];

	expect_equal(count_files("pmem."), 3);
	expect(log->run_count == 1 && log->modules >= 3);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s.%d", host_log, i + 1);
		expect(stat(path, &file) == 0);
		expect(file.st_size <= 65536 && file.st_size > 32768);
		read_log(&old[i], path);
		expect(old[i].run_count == 1 && old[i].modules >= 3);
		expect(strcmp(old[i].runs[0].header, log->runs[0].header) == 0);
	}
	expect_equal(log->snapshots[0].number, log_last(&old[0])->number + 1);
	expect_equal(old[0].snapshots[0].number, log_last(&old[1])->number + 1);
	expect(log_last(log)->number > 1000);
	expect_equal(log_last(log)->total.allocs, 6000);
}
