// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// While the disk is full snapshots are dropped whole; when there is space again they go on, the
// totals have missed nothing, and snapshots_dropped says how many are not there. Two notes tell when
// that began, on what is left of the last page, and when it was over.

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

static void
churn(int times)
{
	for (int i = 0; i < times; i++)
		free(malloc(100));
}

static void
copy(const char *from, const char *to)
{
	char bytes[65536];
	ssize_t length;
	int in = open(from, O_RDONLY);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	while ((length = read(in, bytes, sizeof(bytes))) > 0)
		expect(write(out, bytes, (size_t)length) == length);
	close(in);
	close(out);
}

void
host(void)
{
	char bytes[4096] = "";
	char log[64];

	// Only this process, and what it starts, sees what is mounted here.
	if (!host_role()[0]) {
		expect(mkdir("small", 0700) == 0);
		if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
			skip("rights to mount, and a mount point at /");
		expect(mount("none", "small", "tmpfs", 0, "size=256k") == 0 && chdir("small") == 0);
		expect_equal(run_again("full", true, NULL), 0);
		// The child's log is gone with the mount.
		snprintf(log, sizeof(log), "pmem.%d.log", again_pid);
		copy(log, "../full.log");
		return;
	}
	churn(10);
	int fd = open("filling", O_WRONLY | O_CREAT, 0600);
	expect(fd >= 0);
	while (write(fd, bytes, sizeof(bytes)) > 0)
		;
	// What is left of the log's last page takes some snapshots, and a piece of one.
	churn(500);
	struct stat before, behind;
	snprintf(log, sizeof(log), "pmem.%d.log", getpid());
	expect(stat(log, &before) == 0);
	churn(500);
	expect(stat(log, &behind) == 0 && behind.st_size == before.st_size);
	expect(ftruncate(fd, 0) == 0);
	churn(100);
}

void
check(const struct logfile *log)
{
	struct logfile full;
	(void)log;
	read_log(&full, "full.log");
	const char *text = read_file("full.log");
	const char *begun = strstr(text, "\n# note nothing can be written since 20");
	const char *over = strstr(text, "\n# note nothing could be written from 20");
	expect(over != NULL && strstr(over, "Z: No space left on device\n") != NULL);
	expect(begun == NULL || (begun < over && strstr(begun, "Z: No space left on device\n") < over));
	// Where a page had room: of 4096 bytes a line has a hundred.
	printf("figure: its beginning is %s\n", begun ? "told" : "not told");
	const struct log_snapshot *last = log_last(&full);
	uint64_t dropped = log_loss(last, "snapshots_dropped");
	expect_equal(last->total.allocs, 1110);
	expect_equal(full.headers, 1);
	expect(dropped > 1000);
	expect_equal((uint64_t)full.snapshot_count + dropped, 2 * 1110 + 1);
	printf("figure: %d snapshots, %d dropped\n", full.snapshot_count, (int)dropped);
}
