// pmem: -DPMEM_LOG_HOURS=8784 -DPMEM_LOG_BEGIN_BYTES=20000
// When the log's beginning is used up, snapshots come at the rate that its header says; none are
// lost count of: the numbers go on in the next one.

#include <fcntl.h>
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

static off_t
log_bytes(void)
{
	char path[64];
	struct stat file;
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	expect(stat(path, &file) == 0);
	return file.st_size;
}

void
host(void)
{
	char text[32];
	int calls = 0;

	// What is not spent at once is spent as the process ages: until then it has to be busy.
	do {
		for (int i = 0; i < 100; i++)
			free(malloc(1 << 20));
		calls += 100;
	} while (log_bytes() < 18000);
	for (int i = 0; i < 1000; i++)
		free(malloc(1 << 20));
	// One snapshot may be larger than those before it.
	expect(log_bytes() <= 20000 + 1000);
	int fd = creat("calls", 0600);
	int length = snprintf(text, sizeof(text), "%d", calls + 1000);
	expect(fd >= 0 && write(fd, text, (size_t)length) == length);
	close(fd);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 5 && log->snapshot_count < 60);
	expect_equal(log_last(log)->total.allocs, strtoull(read_file("calls"), NULL, 10));
	expect_equal(knob(log->runs[0].header, " hours="), 8784);
	expect_equal(knob(log->runs[0].header, " begin="), 20000);
	expect_equal(knob(log->runs[0].header, " rate="), ((64 << 20) - 20000) / 8784);
}
