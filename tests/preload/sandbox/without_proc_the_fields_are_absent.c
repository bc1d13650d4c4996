// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// Where /proc is not there, or is something else, a block has no rss=, outside= or malloc=;
// all else is as ever, and they come back with it.

#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "host.h"
#include "statm.h"

FRAME void leak(void) { use(malloc(10000)); }

static void
plant(const char *text)
{
	unlink("/proc/thread-self/statm");
	int fd = open("/proc/thread-self/statm", O_WRONLY | O_CREAT, 0644);
	expect(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

void
host(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		skip("rights to mount, and a mount point at /");
	leak();
	expect(mount("none", "/proc", "tmpfs", 0, NULL) == 0);
	leak();
	// Others that answer by that name.
	expect(mkdir("/proc/thread-self", 0755) == 0);
	plant("100 100 100 1 0 1 0\n");
	leak();
	plant("");
	leak();
	unlink("/proc/thread-self/statm");
	expect(mkfifo("/proc/thread-self/statm", 0644) == 0);
	leak();
	unlink("/proc/thread-self/statm");
	expect(symlink("/dev/zero", "/proc/thread-self/statm") == 0);
	leak();
	expect(umount("/proc") == 0);
	leak();
}

void
check(const struct logfile *log)
{
	expect_equal((uint64_t)log->snapshot_count, 8);
	for (int i = 0; i < 8; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		expect_equal(snapshot->total.live, (uint64_t)(i < 7 ? i + 1 : 7) * 10000);
		expect(snapshot->has_memory == (i == 0 || i >= 6));
		expect_equal(log_loss(snapshot, "snapshots_dropped"), 0);
	}
}
