// pmem: -DPMEM_LOG_HOURS=8784 -DPMEM_LOG_BEGIN_BYTES=20000
// When the log's beginning is used up, snapshots come at the rate that its header says; none are
// lost count of: the numbers go on in the next one.

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

static uint64_t
knob(const char *header, const char *name)
{
	const char *at = strstr(header, name);
	expect(at != NULL);
	return strtoull(at + strlen(name), NULL, 10);
}

void
host(void)
{
	char path[64];
	struct stat file;

	for (int i = 0; i < 500; i++)
		free(malloc(1 << 20));
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	expect(stat(path, &file) == 0);
	// An eighth is spent at once. One snapshot may be larger than those before it.
	expect(file.st_size > 1000 && file.st_size <= 20000 + 1000);
}

void
check(const struct logfile *log)
{
	expect(log->block_count > 2 && log->block_count < 60);
	expect_equal(log_last(log)->total.allocs, 500);
	expect_equal(knob(log->runs[0].header, " hours="), 8784);
	expect_equal(knob(log->runs[0].header, " begin="), 20000);
	expect_equal(knob(log->runs[0].header, " rate="), ((64 << 20) - 20000) / 8784);
}
