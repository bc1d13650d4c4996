// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_MIN_INTERVAL_MS=0
// After setuid() the log goes on in the fallback directory: the same run, the next block
// number, and a note that says why. After chroot() in the fallback directory inside.

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

enum { NOBODY = 65534 };

static void
churn(void)
{
	for (int i = 0; i < 10; i++)
		free(malloc(50000));
}

void
host(void)
{
	if (!host_role()[0])
		return;
	churn();
	if (host_role()[0] == 'c')
		expect(mkdir("jail", 0755) == 0 && mkdir("jail/tmp", 01777) == 0
			&& chmod("jail/tmp", 01777) == 0 && chroot("jail") == 0 && chdir("/") == 0);
	else
		expect(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
	churn();
}

static void
look(const char *fallback, const char *reason)
{
	char path[64];
	struct logfile before, behind;

	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	read_log(&before, path);
	snprintf(path, sizeof(path), "%s/pmem.%d.log", fallback, again_pid);
	read_log(&behind, path);
	struct stat is;
	expect(stat(path, &is) == 0 && (is.st_mode & 0777) == 0600);
	unlink(path);

	expect_equal(before.note_count, 0);
	expect(before.block_count >= 3 && behind.block_count >= 3);
	expect(strcmp(before.runs[0].header, behind.runs[0].header) == 0);
	expect_equal(behind.blocks[0].number, log_last(&before)->number + 1);
	expect_equal(log_last(&behind)->total.allocs, 20);
	expect_equal(log_loss(log_last(&behind), "blocks_dropped"), 0);

	expect_equal(behind.note_count, 1);
	snprintf(path, sizeof(path), "/pmem.%d.log: %s\n", again_pid, reason);
	expect(strlen(behind.notes[0]) > strlen(path));
	expect(strcmp(behind.notes[0] + strlen(behind.notes[0]) - strlen(path), path) == 0);
}

void
check(const struct logfile *log)
{
	(void)log;
	if (geteuid() != 0)
		skip("root");
	expect_equal(run_again("setuid", true, NULL), 0);
	look("/tmp", "Permission denied");
	expect_equal(run_again("chroot", true, NULL), 0);
	look("jail/tmp", "No such file or directory");
}
