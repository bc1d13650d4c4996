// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// Another user, who owns a folder on the way to root's log, puts another folder, or a link to
// one, in its place, over and over while snapshots are written: nothing is made in that, nor
// renamed. The log goes on in the fallback folder.

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { NOBODY = 65534 };

static void
churn(int blocks)
{
	for (int i = 0; i < blocks; i++)
		free(malloc(50000));
}

// As the other user: on the way to the log's folder is now a link to one that is root's alone, or
// another folder.
static void
put_in_place(bool link)
{
	expect(rename("theirs/way", "theirs/kept") == 0);
	if (link)
		expect(symlink("../secret", "theirs/way") == 0);
	else
		expect(rename("theirs/other", "theirs/way") == 0);
}

static void
put_back(bool link)
{
	if (link)
		expect(unlink("theirs/way") == 0);
	else
		expect(rename("theirs/way", "theirs/other") == 0);
	expect(rename("theirs/kept", "theirs/way") == 0);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	bool link = strstr(host_role(), "link") != NULL;
	// Out of theirs/way/in, where it was started.
	expect(chdir("../../..") == 0);
	churn(5);
	if (strncmp(host_role(), "once", 4) == 0) {
		put_in_place(link);
		churn(5);
		put_back(link);
		return;
	}
	pid_t child = fork();
	if (child == 0) {
		expect(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
		for (;;) {
			put_in_place(link);
			put_back(link);
		}
	}
	churn(2000);
	int status;
	expect(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static void
look(const char *role)
{
	char path[64];

	expect(system("rm -rf theirs secret && mkdir -p theirs/way/in theirs/other/in secret/in"
		" && chmod 0700 secret && chown nobody theirs theirs/other && chmod 755 .") == 0);
	expect(chdir("theirs/way/in") == 0);
	expect_equal(run_again(role, true, NULL), 0);
	expect(chdir("../../..") == 0);
	expect(system("test -z \"$(find secret theirs/other -name 'pmem.*')\"") == 0);
	snprintf(path, sizeof(path), "/tmp/pmem.%d.log", again_pid);
	if (strncmp(role, "once", 4) == 0) {
		struct logfile fallen;
		read_log(&fallen, path);
		expect_equal(fallen.note_count, 1);
		expect(strstr(fallen.notes[0], strstr(role, "link") ? ".log: Not a directory\n"
			: ".log: its folder is another by now\n") != NULL);
		expect_equal(log_loss(log_last(&fallen), "snapshots_dropped"), 0);
	}
	unlink(path);
}

void
check(const struct logfile *log)
{
	(void)log;
	if (!is_root())
		skip("root");
	look("once link");
	look("once other");
	look("race link");
	look("race other");
}
