// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_COMMAND=0
// of glibc
// A library that is built so tells the program and nothing of its arguments, however many there are; and of a
// title that is written over them the first word. The word that must not be told stands nowhere in the log.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define SECRET "hunter2"

static char **arguments;
static size_t argument_bytes; // with their NULs

__attribute__((constructor)) static void
start(int count, char **given)
{
	arguments = given;
	for (int i = 0; i < count; i++)
		argument_bytes += strlen(given[i]) + 1;
}

static void
exec_as(char **with)
{
	setenv("ROLE", "one", 1);
	execv("/proc/self/exe", with);
	abort();
}

void
host(void)
{
	static char much[2000];
	const char *role = host_role();

	if (strcmp(role, "arguments") == 0)
		exec_as((char *[]){(char *)"my server", (char *)"--password=" SECRET, (char *)SECRET, NULL});
	if (strcmp(role, "long") == 0) {
		memset(much, 'x', sizeof(much) - 1);
		exec_as((char *[]){(char *)"long", (char *)SECRET, much, (char *)SECRET, NULL});
	}
	free(malloc(5000));
	if (strcmp(role, "title") == 0) {
		memset(arguments[0], 0, argument_bytes);
		strcpy(arguments[0], "db: " SECRET);
		free(malloc(5000));
		memset(arguments[0], ' ', argument_bytes - 1);
		memcpy(arguments[0], "pad: " SECRET, 12);
		free(malloc(5000));
		memset(arguments[0], 'x', argument_bytes + 20);
		memcpy(arguments[0], "over " SECRET " ", 13);
		arguments[0][argument_bytes + 20] = '\0';
		free(malloc(5000));
	}
}

// The last commands that a log of this role tells, a line each.
static void
expect_commands(const char *role, int count, const char *const *wanted)
{
	struct logfile log;
	char path[64];
	int found = 0;

	expect_equal(run_again(role, true, NULL), 0);
	read_log_of(&log, again_pid);
	snprintf(path, sizeof(path), "pmem.%d.log", (int)again_pid);
	char *text = read_file(path);
	expect(strstr(text, "# command ") != NULL && strstr(text, SECRET) == NULL);
	free(text);
	for (int i = log.title_count - 1; i >= 0 && found < count; i--) {
		if (strncmp(log.titles[i], "command ", 8) == 0)
			expect(strcmp(log.titles[i] + 8, wanted[count - 1 - found++]) == 0);
	}
	expect_equal(found, count);
}

void
check(const struct logfile *host_log_read)
{
	(void)host_log_read;
	expect_commands("arguments", 1, (const char *[]){"my\\x20server\n"});
	expect_commands("long", 1, (const char *[]){"long\n"});
	expect_commands("title", 3, (const char *[]){"db:\n", "pad:\n", "over\n"});
}
