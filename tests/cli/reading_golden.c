// What is read of each log in tests/cli/logs/ is what stands beside it in NAME.expected, with
// the messages: logs of every shape that there was, which must be read for ever. `PRINT=1
// reading_golden` prints what is read now.

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "readingtext.h"

static bool
ends_in(const char *name, const char *end)
{
	size_t length = strlen(name);
	return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static int
is_log(const struct dirent *entry)
{
	return ends_in(entry->d_name, ".log");
}

// Standard error becomes part of the text.
static char *
read_log(const char *name)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = open_memstream(&text, &bytes);
	FILE *messages = tmpfile();
	int error = dup(2);
	if (!to || !messages || error < 0 || dup2(fileno(messages), 2) < 0)
		abort();

	struct log *log = log_open(name);
	if (log)
		print_log(to, log);
	fflush(stderr);
	dup2(error, 2);
	close(error);
	rewind(messages);
	for (int c = fgetc(messages); c != EOF; c = fgetc(messages))
		fputc(c, to);
	fclose(messages);
	fclose(to);
	if (log)
		log_close(log);
	return text;
}

static char *
read_expected(const char *name)
{
	char path[300];
	char *text = NULL;
	size_t bytes = 0;
	snprintf(path, sizeof(path), "%.*s.expected", (int)(strlen(name) - strlen(".log")), name);
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	if (getdelim(&text, &bytes, '\0', file) < 0)
		text = NULL;
	fclose(file);
	return text;
}

static bool
differs(const char *name, const char *text, const char *expected)
{
	if (expected && strcmp(text, expected) == 0)
		return false;
	if (!expected) {
		printf("%s: no .expected beside it\n", name);
		return true;
	}
	while (*text && *text == *expected) {
		text++;
		expected++;
	}
	printf("%s: read: ...%.200s\nexpected: ...%.200s\n", name, text, expected);
	return true;
}

int
main(void)
{
	const char *root = getenv("PMEM_ROOT");
	struct dirent **entries;
	int bad = 0;
	int count;

	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	if (!root || chdir(root) != 0 || chdir("tests/cli/logs") != 0)
		return 1;
	count = scandir(".", &entries, is_log, alphasort);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char *text = read_log(name);
		char *expected = read_expected(name);
		if (getenv("PRINT"))
			printf("== %s\n%s", name, text);
		else
			bad += differs(name, text, expected);
		free(text);
		free(expected);
		free(entries[i]);
	}
	free(entries);
	printf("figure: %d logs\n", count);
	return bad || count < 10;
}
