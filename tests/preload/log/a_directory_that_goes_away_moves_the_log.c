// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// A directory that is renamed or removed while the program runs: the log goes on in the
// fallback directory, with the next number and a note, and no directory is made anew.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

static void
churn(void)
{
	for (int i = 0; i < 10; i++)
		free(malloc(50000));
}

void
host(void)
{
	char path[64];

	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	if (strncmp(host_role(), "in ", 3) != 0)
		return;
	churn();
	expect(access(path, F_OK) == 0);
	if (strcmp(host_role(), "in moved") == 0)
		expect(rename("../gone", "../moved") == 0);
	else
		expect(unlink(path) == 0 && rmdir("../gone") == 0);
	churn();
}

void
check(const struct logfile *log)
{
	char path[64];
	struct logfile fallen;
	int home = open(".", O_RDONLY);

	(void)log;
	for (int i = 0; i < 2; i++) {
		expect(mkdir("gone", 0700) == 0 && chdir("gone") == 0);
		expect_equal(run_again(i ? "in removed" : "in moved", true, NULL), 0);
		expect(fchdir(home) == 0);
		snprintf(path, sizeof(path), "/tmp/pmem.%d.log", again_pid);
		read_log(&fallen, path);
		unlink(path);
		expect_equal(fallen.note_count, 1);
		expect(strstr(fallen.notes[0], "/gone/pmem.") != NULL);
		expect(strstr(fallen.notes[0], ".log: No such file or directory\n") != NULL);
		expect(fallen.snapshots[0].number > 5);
		expect_equal(log_last(&fallen)->total.allocs, 20);
		expect_equal(log_loss(log_last(&fallen), "snapshots_dropped"), 0);
		if (i == 0)
			expect(access("gone", F_OK) != 0 && access("moved", F_OK) == 0);
	}
}
