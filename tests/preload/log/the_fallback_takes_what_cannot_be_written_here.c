// pmem: -DPMEM_LOG_FALLBACK_DIR="/tmp/pmem-test-fallback"
// Where the program began in a folder that cannot be written, or that no path leads to, the fallback
// folder gets its log; what stands there as a link, or not as ours, is not followed nor written.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#define FALLBACK "/tmp/pmem-test-fallback"

static void
begin_in_the_deep(void)
{
	char name[201];

	memset(name, 'd', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int depth = 0; depth < 25; depth++)
		expect(mkdir(name, 0700) == 0 && chdir(name) == 0);
	become_again("a folder without a path");
}

void
host(void)
{
	char path[128];
	char target[4096];

	if (!host_role()[0])
		return;
	if (host_role()[0] == 'd')
		begin_in_the_deep();
	if (host_role()[0] == 'a') {
		free(malloc(3 << 20));
		return;
	}
	// A directory in the log's place stops even root.
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	expect(mkdir(path, 0700) == 0);
	snprintf(path, sizeof(path), FALLBACK "/pmem.%d.log", getpid());
	if (host_role()[0] == 'l') {
		expect(close(creat("victim", 0600)) == 0);
		expect(realpath("victim", target) != NULL && symlink(target, path) == 0);
	}
	free(malloc(3 << 20));
}

void
check(const struct logfile *log)
{
	char path[128];
	struct logfile fallen;
	struct stat file;

	expect_equal(log->snapshot_count, 0);
	expect(system("rm -rf " FALLBACK) == 0 && mkdir(FALLBACK, 0700) == 0);
	expect_equal(run_again("blocked", true, NULL), 0);
	snprintf(path, sizeof(path), FALLBACK "/pmem.%d.log", again_pid);
	read_log(&fallen, path);
	expect_equal(fallen.snapshot_count, 3);
	expect(stat(path, &file) == 0 && (file.st_mode & 0777) == 0600);

	expect_equal(run_again("link", true, NULL), 0);
	expect(stat("victim", &file) == 0 && file.st_size == 0);

	expect_equal(run_again("deep", true, NULL), 0);
	snprintf(path, sizeof(path), FALLBACK "/pmem.%d.log", again_pid);
	read_log(&fallen, path);
	expect_equal(fallen.snapshot_count, 3);
	expect(system("rm -rf " FALLBACK) == 0);
}
