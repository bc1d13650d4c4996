// pmem: -DPMEM_CHURN_THRESH=1000 -DPMEM_LOG_HOURS=0
// A child of vfork() shares its parent's memory: what it allocates before its exec counts in
// there, it writes no snapshot, neither in its parent's log nor in one of its own, and its
// parent's goes on unharmed. So does one of posix_spawn().

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { ROUNDS = 30 };
extern char **environ;
static pid_t log_pid;
static volatile off_t grown; // in the child's time

FRAME void before_exec(void) { use(malloc(100)); }
FRAME void before_exit(void) { use(malloc(1)); }

static off_t
log_bytes(void)
{
	static char path[64];
	struct stat status;
	snprintf(path, sizeof(path), "/proc/self/cwd/pmem.%d.log", log_pid);
	return stat(path, &status) == 0 ? status.st_size : 0;
}

static void
expect_success(pid_t child)
{
	int status = -1;
	expect(waitpid(child, &status, 0) == child && status == 0);
}

void
host(void)
{
	char *command[] = {"/proc/self/exe", NULL};
	char *bare[] = {"PMEM_HOST=1", "ROLE=spawned", NULL};
	pid_t child;

	if (strcmp(host_role(), "spawned") == 0)
		return;
	log_pid = getpid();
	for (int i = 0; i < ROUNDS; i++) {
		child = vfork();
		if (child == 0) {
			grown -= log_bytes();
			for (int k = 0; k < 100; k++)
				before_exec();
			grown += log_bytes();
			execve("/proc/self/exe", command, bare);
			_exit(1);
		}
		expect_success(child);
		expect_equal((uint64_t)grown, 0);
		child = vfork();
		if (child == 0) {
			before_exit();
			_exit(0);
		}
		expect_success(child);
		expect(posix_spawn(&child, "/proc/self/exe", NULL, NULL, command, bare) == 0);
		expect_success(child);
		for (int k = 0; k < 100; k++)
			free(malloc(100));
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect_equal(count_files("pmem."), 1);
	expect_equal(log->run_count, 1);
	expect_equal(log_from(last, "before_exec")->counts.live, 100 * 100 * ROUNDS);
	expect_equal(log_from(last, "before_exit")->counts.live, ROUNDS);
	expect_equal(last->reason[0], 'e');
}
