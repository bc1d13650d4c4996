// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// Somebody renames the log, copies and truncates it, deletes it, or writes into it: what
// follows begins on a line of its own, with the header and the modules; numbers go on, and
// no snapshot is cut by us.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

static char path[64];

// 20 blocks.
static void
churn(void)
{
	for (int i = 0; i < 10; i++)
		free(malloc(100));
}

static void
append(const char *words)
{
	int fd = open(path, O_WRONLY | O_APPEND);
	expect(write(fd, words, strlen(words)) == (ssize_t)strlen(words));
	close(fd);
}

void
host(void)
{
	char command[256];
	if (!host_role()[0])
		return;
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	churn();
	expect(rename(path, "renamed") == 0);
	churn();
	snprintf(command, sizeof(command), "LD_PRELOAD= cp %s copied", path);
	expect(system(command) == 0 && truncate(path, 0) == 0);
	churn();
	expect(rename(path, "deleted") == 0);
	churn();
	append("a line\n");
	churn();
	append("a line without its end");
	churn();
	// As a writer that was killed leaves it.
	append("[ 99]==========");
	churn();
}

// Takes out words that are not ours; the log's own lines are whole without them.
static void
take_out(char *text, const char *words)
{
	char *at = strstr(text, words);
	expect(at && at > text && at[-1] == '\n');
	char *behind = at + strlen(words);
	memmove(at, behind, strlen(behind) + 1);
	expect(strstr(text, words) == NULL);
}

static uint64_t
follows(const char *name, uint64_t number, int headers, int torn)
{
	struct logfile part;
	expect_equal(log_read(&part, name, stderr), 0);
	expect_equal(part.torn, torn);
	expect_equal(part.run_count, 1);
	expect_equal(part.headers, headers);
	expect(part.modules >= 2 * headers);
	expect_equal(part.snapshots[0].number, number);
	return log_last(&part)->number + 1;
}

void
check(const struct logfile *log)
{
	(void)log;
	expect_equal(run_again("disturbed", true, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	char *text = read_file(path);
	take_out(text, "a line\n");
	take_out(text, "a line without its end");
	FILE *rest = fopen("rest", "w");
	fputs(text, rest);
	fclose(rest);

	uint64_t number = follows("renamed", 0, 1, 0);
	expect_equal(number, 20);
	number = follows("copied", number, 1, 0);
	number = follows("deleted", number, 1, 0);
	number = follows("rest", number, 4, 1);
	// The last snapshot; some are system()'s.
	expect(number >= 20 * 7 + 1);
}
