// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// of glibc
// Snapshots are written without a thread or a child: whoever waits for any child is told that
// there is none, the process has one thread, and namespaces are open to it as without us.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static void
churn(void)
{
	for (int i = 0; i < 1000; i++)
		free(malloc(100));
}

static int
threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = 0;
	while (readdir(tasks))
		count++;
	closedir(tasks);
	return count - 2;
}

// What came of it, to be compared with a run without us.
static void
say(const char *what, int result)
{
	printf("%s: %d %s\n", what, result, result < 0 ? strerror(errno) : "");
}

static void
transcript(void)
{
	siginfo_t info;
	churn();
	say("waitpid", waitpid(-1, NULL, 0));
	say("wait for clones", waitpid(-1, NULL, __WALL));
	say("waitid", waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG));
	say("threads", threads());
	int ipc = open("/proc/self/ns/ipc", O_RDONLY | O_CLOEXEC);
	int user = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
	say("unshare user", unshare(CLONE_NEWUSER));
	churn();
	say("unshare rest", unshare(CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS | CLONE_NEWPID));
	churn();
	say("setns ipc", setns(ipc, CLONE_NEWIPC));
	say("setns user", setns(user, CLONE_NEWUSER));
	churn();
	say("threads", threads());
}

void
host(void)
{
	if (strcmp(host_role(), "transcript") == 0) {
		transcript();
		return;
	}
	churn();
	expect_equal(run_again("transcript", false, "without"), 0);
	expect_equal(run_again("transcript", true, "with"), 0);
	char *with = read_file("with");
	printf("%s", with);
	expect(strcmp(read_file("without"), with) == 0);
	expect(strstr(with, "waitpid: -1 No child processes\n"));
	expect(strstr(with, "waitid: -1 No child processes\n"));
	expect(strstr(with, "threads: 1 \n"));
	if (!strstr(with, "unshare user: 0"))
		skip("user namespaces");
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 10);
}
