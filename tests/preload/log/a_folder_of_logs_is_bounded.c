// long
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_FOLDER_BYTES=33554432 -DLOG_QUOTA_YOUNG_MS=1500
// The logs in a folder take no more bytes than PMEM_LOG_FOLDER_BYTES, however many processes write at
// a time: each log has a part of what the others leave, says so, and goes on; where nothing is left
// none is begun.

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { LIMIT = 32 << 20, PROCESSES = 6 };

void
host(void)
{
	int rounds = host_role()[0] == 'l' ? 20000 : 20;

	for (int i = 0; i < rounds; i++)
		free(malloc(4096));
}

static off_t
size_of(const char *path)
{
	struct stat file;
	return stat(path, &file) == 0 ? file.st_size : 0;
}

// Of the others that lie there.
static void
fill(const char *path, off_t bytes)
{
	FILE *file = fopen(path, "w");
	expect(file != NULL && fclose(file) == 0 && truncate(path, bytes) == 0);
}

void
check(const struct logfile *log)
{
	pid_t pids[PROCESSES];
	char path[80];
	off_t all = 0;

	(void)log;
	fill("pmem.1.log", LIMIT / 2);
	for (int i = 0; i < PROCESSES; i++)
		pids[i] = start_again("long");
	for (int i = 0; i < PROCESSES; i++) {
		int status;
		expect(waitpid(pids[i], &status, 0) == pids[i] && status == 0);
		snprintf(path, sizeof(path), "pmem.%d.log.1", pids[i]);
		expect(size_of(path) > 0 && size_of(path) <= LIMIT / 64);
		all += size_of(path);
		path[strlen(path) - 2] = '\0';
		all += size_of(path);
		expect(strstr(read_file(path), "then it is rotated (PMEM_LOG_FOLDER_BYTES)\n") != NULL);
		struct logfile piece;
		read_log(&piece, path);
		expect_equal(log_loss(log_last(&piece), "snapshots_dropped"), 0);
	}
	expect(all <= LIMIT / 2);
	printf("figure: %jd bytes of %d processes\n", (intmax_t)all, PROCESSES);

	fill("pmem.1.log", LIMIT);
	expect_equal(run_again("short", true, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	expect(access(path, F_OK) != 0);
	unlink("pmem.1.log");
	expect_equal(run_again("short", true, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	expect(access(path, F_OK) == 0);
}
