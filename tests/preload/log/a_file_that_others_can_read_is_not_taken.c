// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_FALLBACK_DIR="/tmp/pmem-test-readable"
// A file that stands in the log's place and that others can read, or write, is left as it is:
// the log, which tells paths and addresses, is in the next place, with a note for each that was
// left. What logrotate makes anew for the owner alone is written.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#define FALLBACK "/tmp/pmem-test-readable"

static void
plant(const char *dir, mode_t mode)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/pmem.%d.log", dir, getpid());
	expect(close(creat(path, 0600)) == 0 && chmod(path, mode) == 0);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	plant(".", host_role()[0] == 'o' ? 0600 : host_role()[0] == 'w' ? 0602 : 0640);
	if (host_role()[0] == 'b')
		plant(FALLBACK, 0604);
	for (int i = 0; i < 10; i++)
		free(malloc(50000));
	// Its owner may show it to others once it is there.
	char path[128];
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	if (host_role()[0] == 'o')
		expect(chmod(path, 0644) == 0);
	for (int i = 0; i < 10; i++)
		free(malloc(50000));
}

static void
look(const char *role, const char *dir, bool has_user, int notes)
{
	char path[128];
	char user[16] = "";
	struct logfile log;
	struct stat status;

	expect_equal(run_again(role, true, NULL), 0);
	if (has_user)
		snprintf(user, sizeof(user), ".%d", (int)geteuid());
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	if (role[0] != 'o')
		expect(stat(path, &status) == 0 && status.st_size == 0);
	snprintf(path, sizeof(path), "%s/pmem.%d%s.log", dir, again_pid, user);
	read_log(&log, path);
	expect(log_last(&log)->number >= 20 && strcmp(log_last(&log)->reason, "exit") == 0);
	expect_equal(log_loss(log_last(&log), "snapshots_dropped"), 0);
	expect_equal(log.note_count, notes);
	for (int i = 0; i < notes; i++)
		expect(strstr(log.notes[i], ": was there, and others can read or write it\n") != NULL);
}

void
check(const struct logfile *log)
{
	(void)log;
	expect(system("rm -rf " FALLBACK) == 0 && mkdir(FALLBACK, 0700) == 0);
	look("read", FALLBACK, false, 1);
	look("written", FALLBACK, false, 1);
	look("both", ".", true, 2);
	look("own", ".", false, 0);
	expect(system("rm -rf " FALLBACK) == 0);
}
