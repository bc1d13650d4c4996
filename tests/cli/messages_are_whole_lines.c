// A message is one line and one write: those of several processes on one standard error never
// mix, one that is too long is cut off and still ends its line, and control characters in it
// are shown, not sent.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"

enum { PROCESSES = 4, MESSAGES = 2000, BODY = 300, LONG = 20000 };

static int failures;

static void
expect(const char *line, const char *wanted)
{
	if (strcmp(line, wanted) == 0)
		return;
	if (failures++ < 5)
		printf("'%s', not '%s'\n", line, wanted);
}

// The function, in a child whose standard error is the pipe.
static void
begin(void (*function)(int number), int number, int *ends)
{
	if (fork() == 0) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		function(number);
		exit(0);
	}
}

static void
warn_often(int number)
{
	char body[BODY + 1] = "";

	memset(body, 'a' + number, BODY);
	for (int i = 0; i < MESSAGES; i++)
		warn("%d: %s", i, body);
}

static void
many(void)
{
	int ends[2];
	int next[PROCESSES] = {0};
	static char line[LONG];
	char wanted[BODY + 64];

	if (pipe(ends) != 0)
		exit(1);
	for (int number = 0; number < PROCESSES; number++)
		begin(warn_often, number, ends);
	close(ends[1]);
	FILE *words = fdopen(ends[0], "r");
	int lines = 0;
	for (; fgets(line, sizeof(line), words); lines++) {
		int number = line[strlen(line) - 2] - 'a';
		if (number < 0 || number >= PROCESSES) {
			failures++;
			continue;
		}
		char body[BODY + 1] = "";
		memset(body, 'a' + number, BODY);
		snprintf(wanted, sizeof(wanted), "pmem: %d: %s\n", next[number]++, body);
		expect(line, wanted);
	}
	fclose(words);
	while (wait(NULL) > 0)
		;
	if (lines != PROCESSES * MESSAGES || failures) {
		printf("%d lines, %d bad\n", lines, failures);
		failures++;
	}
}

static void
warn_oddly(int number)
{
	static char body[LONG];

	(void)number;
	memset(body, 'x', LONG - 1);
	warn("%s", body);
	memset(body, '\n', LONG - 1);
	warn("%s", body);
	errno = ENOENT;
	warn("a\tb\x7f\xc3\xa9%s:", "\033]0;title\a");
	errno = ENOENT;
	warn("%s", "no reason:");
	die(7, "the %s", "end");
}

static void
odd(void)
{
	int ends[2];
	static char line[LONG];
	int status;

	if (pipe(ends) != 0)
		exit(1);
	begin(warn_oddly, 0, ends);
	close(ends[1]);
	FILE *words = fdopen(ends[0], "r");
	for (int i = 0; i < 2; i++) {
		// Cut off, but long enough for two paths; whole escapes.
		if (!fgets(line, sizeof(line), words) || strlen(line) < 8192
			|| strcmp(line + strlen(line) - 5, i ? "\\x0a\n" : "xxxx\n") != 0) {
			printf("%.20s... of %zu\n", line, strlen(line));
			failures++;
		}
	}
	static const char *const wanted[] = {
		"pmem: a\\x09b\\x7f\xc3\xa9\\x1b]0;title\\x07: No such file or directory\n",
		"pmem: no reason:\n",
		"pmem: the end\n",
	};
	for (int i = 0; i < 3; i++)
		expect(fgets(line, sizeof(line), words) ? line : "", wanted[i]);
	wait(&status);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
		failures++;
	fclose(words);
}

int
main(void)
{
	many();
	odd();
	return failures > 0;
}
