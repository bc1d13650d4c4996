// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// Whatever the umask, the log is its owner's to read and write, and nobody else's.

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

void
host(void)
{
	if (!host_role()[0])
		return;
	// Root may open what it has no right to.
	if (host_role()[0] == 'r')
		expect(chmod(".", 0777) == 0 && setuid(65534) == 0);
	umask((mode_t)strtol(host_role() + 1, NULL, 8));
	for (int i = 0; i < 10; i++)
		free(malloc(50000));
}

void
check(const struct logfile *log)
{
	static const char *const masks[] = {"0", "077", "0777", "0200", "0400"};
	char kind = is_root() ? 'r' : 'u';
	struct logfile masked;
	struct stat is;
	char path[64], role[8];

	(void)log;
	for (int i = 0; i < 5; i++) {
		snprintf(role, sizeof(role), "%c%s", kind, masks[i]);
		expect_equal(run_again(role, true, NULL), 0);
		snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
		// The folders above may be closed to others than root.
		if (stat(path, &is) != 0)
			snprintf(path, sizeof(path), "/tmp/pmem.%d.log", again_pid);
		read_log(&masked, path);
		expect(stat(path, &is) == 0);
		expect_equal(is.st_mode & 07777, 0600);
		expect(masked.snapshot_count > 10);
		expect_equal(log_loss(log_last(&masked), "snapshots_dropped"), 0);
		unlink(path);
	}
}
