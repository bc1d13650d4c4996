// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// A file of our own user that somebody moved to where the log would be is not written, if it does not
// begin as a log of this process: a private file, an empty line, another process's log. Its own, from
// before an exec or by an older version, is.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

static const char *const texts[] = {
	"key = secret\n",
	"\n",
	"# pmem 4 pid=1 ppid=1 start=2026-11-21T00:00:00.000Z exe=/bin/true comm=true frames=64\n",
	"# pmem 4 pid=%d0 ppid=1 start=2026-11-21T00:00:00.000Z exe=/bin/true comm=true frames=64\n",
	"# pmem %d ppid=1 start=2026-11-21T00:00:00.000Z exe=/bin/true comm=true frames=64\n",
	"# pmem 1 pid=%d ppid=1 start=2026-11-21T00:00:00.000Z exe=/bin/true comm=true frames=64\n",
};
enum { TEXTS = sizeof(texts) / sizeof(*texts), ITS_OWN = TEXTS - 1 };

static void
write_text(char *text, size_t size, int kind, int pid)
{
	snprintf(text, size, texts[kind], pid);
}

void
host(void)
{
	char path[64];
	char text[200];

	if (!host_role()[0])
		return;
	write_text(text, sizeof(text), atoi(host_role() + 1), getpid());
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	int fd = open("service.conf", O_WRONLY | O_CREAT | O_EXCL, 0600);
	expect(write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
	expect(rename("service.conf", path) == 0);
	for (int i = 0; i < 1000; i++)
		free(malloc(1000));
}

void
check(const struct logfile *log)
{
	char role[8], path[80], text[200];
	struct logfile other;

	(void)log;
	for (int kind = 0; kind < TEXTS; kind++) {
		snprintf(role, sizeof(role), "k%d", kind);
		expect_equal(run_again(role, true, NULL), 0);
		write_text(text, sizeof(text), kind, again_pid);
		snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
		const char *now = read_file(path);
		expect(strncmp(now, text, strlen(text)) == 0);
		expect((strlen(now) > strlen(text)) == (kind == ITS_OWN));
		snprintf(path, sizeof(path), "/tmp/pmem.%d.log", again_pid);
		expect((access(path, F_OK) == 0) == (kind != ITS_OWN));
		if (kind == ITS_OWN)
			continue;
		read_log(&other, path);
		expect(other.snapshot_count > 5);
		expect(strstr(read_file(path), ": is no log of this process\n") != NULL);
		unlink(path);
	}
}
