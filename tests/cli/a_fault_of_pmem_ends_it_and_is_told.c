// A condition that does not hold ends the reader, with a status of its own and one line that has the
// place, the condition and the log. What is half written is nowhere: neither on standard output, nor
// in the file that -o names, nor beside it. So it is with NDEBUG, too.

#define NDEBUG

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/message.h"
#include "base/target.h"
#include "log/log.h"

static void
hold(void)
{
	int tries = 0;

	ASSERT(++tries == 1);
	ASSERT(tries == 1);
	exit(0);
}

enum { LINE_OF_FAULT = __LINE__ + 6 };

static void
fail(void)
{
	fputs("half a line", stdout);
	ASSERT(1 + 1 == 3);
	exit(0);
}

static void
fail_at_the_end(void)
{
	ASSERT(!"again");
}

static void
fail_twice(void)
{
	atexit(fail_at_the_end);
	fail();
}

static void
fail_while_reading(void)
{
	log_open("some.log");
	fail();
}

static void
fail_while_writing(void)
{
	struct target target;

	target_open(&target, "page", 0600);
	fputs("half a page", target.to);
	fail();
}

// What it says of itself, and prints. False: it ended in another way.
static bool
ends(void (*function)(void), int status, char words[512], char output[64])
{
	int said[2], printed[2], how;

	if (pipe(said) != 0 || pipe(printed) != 0)
		exit(1);
	pid_t child = fork();
	if (child == 0) {
		dup2(said[1], STDERR_FILENO);
		dup2(printed[1], STDOUT_FILENO);
		function();
	}
	close(said[1]);
	close(printed[1]);
	waitpid(child, &how, 0);
	ssize_t length = read(said[0], words, 511);
	words[length > 0 ? length : 0] = '\0';
	length = read(printed[0], output, 63);
	output[length > 0 ? length : 0] = '\0';
	close(said[0]);
	close(printed[0]);
	return WIFEXITED(how) && WEXITSTATUS(how) == status;
}

static bool
is_told(const char *words, const char *log)
{
	char wanted[512];

	snprintf(wanted, sizeof(wanted), "pmem: %s:%d: 1 + 1 == 3 does not hold: this is a fault of pmem; "
		"please report it with the log%s\n", __FILE__, LINE_OF_FAULT, log);
	return strcmp(words, wanted) == 0;
}

static void
write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		exit(1);
}

static size_t
count_files(void)
{
	size_t count = 0;
	DIR *dir = opendir(".");

	for (struct dirent *entry; dir && (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

int
main(void)
{
	char words[512], output[64], page[64] = "";
	int bad = 0;

	if (!ends(hold, 0, words, output) || words[0])
		bad = printf("what holds: %s\n", words);
	if (!ends(fail, EXIT_FAULT, words, output) || !is_told(words, "") || output[0])
		bad = printf("a fault: %s, and printed: %s\n", words, output);
	if (!ends(fail_twice, EXIT_FAULT, words, output) || !is_told(words, "") || output[0])
		bad = printf("two faults: %s\n", words);
	write_file("some.log", "");
	if (!ends(fail_while_reading, EXIT_FAULT, words, output) || !is_told(words, ": some.log"))
		bad = printf("with a log: %s\n", words);
	write_file("page", "the page before");
	size_t files = count_files();
	if (!ends(fail_while_writing, EXIT_FAULT, words, output) || !is_told(words, ""))
		bad = printf("while a page is written: %s\n", words);
	FILE *file = fopen("page", "r");
	if (!file || !fgets(page, sizeof(page), file) || strcmp(page, "the page before") != 0)
		bad = printf("the page became: %s\n", page);
	if (file)
		fclose(file);
	if (count_files() != files)
		bad = printf("a file is left beside the page\n");
	return bad > 0;
}
