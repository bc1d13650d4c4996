// What is no log, or an odd one: empty, a directory, missing, a device, a FIFO, other line
// ends, lines of a MiB, zero bytes, no newline at the end, standard input, ten thousand runs.
// Each is read as far as it is a log, or refused in one line that says what was expected.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "makelog.h"
#include "readingtext.h"

static char *log_text;
static size_t log_length;
static char *expected; // what is read of it as it is
static int bad;

static void
make_log(void)
{
	FILE *file = open_memstream(&log_text, &log_length);
	struct makelog *log = makelog_open(file, NULL);
	int a = makelog_source(log, "open/handle");
	int b = makelog_source(log, "libx.so:parse/handle");
	for (int i = 0; i < 3; i++) {
		makelog_malloc(log, a, 2, 100);
		makelog_malloc(log, b, 1, 10);
		makelog_free(log, b, 1, 10);
		makelog_snapshot(log, 100, i == 2 ? "exit" : "churn");
	}
	makelog_close(log);
	fclose(file);
}

static void
write_file(const char *path, const char *text, size_t bytes)
{
	FILE *file = fopen(path, "w");
	if (!file || fwrite(text, 1, bytes, file) != bytes || fclose(file) != 0)
		abort();
}

static char *
slurp(const char *path)
{
	char *all = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "r");
	if (getdelim(&all, &size, '\0', file) < 0) {
		free(all);
		all = strdup("");
	}
	fclose(file);
	return all;
}

// What is read of it; NULL: it could not be opened. The messages are in the file `messages`.
static char *
read_all(const char *path, bool *finished)
{
	char *text = NULL;
	size_t size;
	if (ftruncate(2, 0) != 0 || lseek(2, 0, SEEK_SET) != 0)
		abort();
	struct log *log = log_open(path);
	if (!log)
		return NULL;
	FILE *to = open_memstream(&text, &size);
	for (const struct snapshot *snapshot; (snapshot = log_next(log));)
		print_snapshot(to, log, snapshot);
	fclose(to);
	*finished = log_finish(log);
	log_close(log);
	return text;
}

static void
check(const char *what, bool good)
{
	if (good)
		return;
	char *messages = slurp("messages");
	printf("%s\n%s", what, messages);
	free(messages);
	bad++;
}

// Read as the log is, and without a word.
static void
is_read(const char *path)
{
	bool finished = false;
	char *text = read_all(path, &finished);
	char *messages = slurp("messages");
	check(path, text && finished && strcmp(text, expected) == 0 && *messages == '\0');
	free(messages);
	free(text);
}

// One line that begins like this, and no snapshot.
static void
is_refused(const char *path, const char *words)
{
	bool finished = false;
	char *text = read_all(path, &finished);
	char *messages = slurp("messages");
	const char *newline = strchr(messages, '\n');
	check(path, (!text || !*text) && !finished && newline && newline[1] == '\0'
		&& strncmp(messages, words, strlen(words)) == 0);
	free(messages);
	free(text);
}

// Read as the log is, and with a message that has this.
static void
is_read_and_told(const char *path, const char *words)
{
	bool finished = true;
	char *text = read_all(path, &finished);
	char *messages = slurp("messages");
	check(path, text && !finished && strcmp(text, expected) == 0 && strstr(messages, words));
	free(messages);
	free(text);
}

static void
no_logs(void)
{
	is_refused("missing.log", "pmem: missing.log: No such file");
	mkdir("folder", 0755);
	is_refused("folder", "pmem: folder: no log in this folder: expected pmem.PID.log");
	is_refused("/dev/null", "pmem: /dev/null: not opened: it is a device");
	write_file("empty.log", "", 0);
	is_refused("empty.log", "pmem: empty.log: no whole snapshot in it: expected ");
	write_file("text.log", "Hello\n", 6);
	bool finished = true;
	char *text = read_all("text.log", &finished);
	char *messages = slurp("messages");
	check("text.log", text && !*text && !finished
		&& strncmp(messages, "pmem: text.log:1: ", 18) == 0);
	free(messages);
	free(text);
	write_file("closed.log", log_text, log_length);
	chmod("closed.log", 0);
	// Root may read what it has no right to, unless a container has taken that from it.
	if (access("closed.log", R_OK) != 0)
		is_refused("closed.log", "pmem: closed.log: Permission denied");
}

static void
other_line_ends(void)
{
	char *text = malloc(2 * log_length);
	size_t bytes = 0;
	for (size_t i = 0; i < log_length; i++) {
		if (log_text[i] == '\n')
			text[bytes++] = '\r';
		text[bytes++] = log_text[i];
	}
	write_file("crlf.log", text, bytes);
	is_read("crlf.log");
	// Half a snapshot behind the last one, of which the end is not there yet.
	const char *half = "\n# pmem 1 pid=1\n[  0]=====";
	memcpy(text, log_text, log_length);
	memcpy(text + log_length, half, strlen(half));
	write_file("no_end.log", text, log_length + strlen(half));
	is_read("no_end.log");
	free(text);
}

// Before the log, between its snapshots, at its end. Before a header it may be what was cut off.
static void
with_line(const char *name, const char *line, size_t bytes)
{
	FILE *file = fopen(name, "w");
	const char *second = strstr(log_text, "[  1]");
	fwrite(line, 1, bytes, file);
	fwrite(log_text, 1, (size_t)(second - log_text), file);
	fwrite(line, 1, bytes, file);
	fwrite(second, 1, log_length - (size_t)(second - log_text), file);
	fwrite(line, 1, bytes, file);
	fclose(file);
	char words[64];
	snprintf(words, sizeof(words), "pmem: %s:25: ", name);
	is_read_and_told(name, words);
}

static void
odd_lines(void)
{
	size_t size = 3 << 20;
	char *line = malloc(size);
	memset(line, 'x', size);
	line[size - 1] = '\n';
	with_line("long.log", line, size);
	// As long as a line may be, and one byte less and more.
	for (size_t length = (1 << 20) - 2; length <= (1 << 20) + 2; length++)
		with_line("limit.log", line + size - length, length);
	memset(line, 0, 100);
	line[99] = '\n';
	with_line("zeros.log", line, 100);
	memcpy(line, "[  1]\0====\n", 11);
	with_line("zero.log", line, 11);
	free(line);
}

static void *
feed(void *path)
{
	FILE *file = fopen(path, "w");
	if (!file)
		return NULL;
	for (size_t i = 0; i < log_length; i++) {
		fputc(log_text[i], file);
		if (i % 97 == 0)
			fflush(file);
	}
	fclose(file);
	return NULL;
}

static void
pipes(void)
{
	pthread_t thread;
	char path[] = "fifo.log";
	mkfifo(path, 0600);
	pthread_create(&thread, NULL, feed, path);
	is_read(path);
	pthread_join(thread, NULL);
	write_file("input.log", log_text, log_length);
	if (!freopen("input.log", "r", stdin))
		abort();
	is_read("-");
}

static void
many_runs(void)
{
	FILE *file = fopen("runs.log", "w");
	bool finished = false;
	for (int i = 0; i < 10000; i++) {
		char start[64];
		snprintf(start, sizeof(start), "2026-11-21T%02d:%02d:%02d.000Z", i / 3600, i / 60 % 60,
			i % 60);
		struct makelog_options options = {.start = start};
		struct makelog *log = makelog_open(file, &options);
		makelog_malloc(log, makelog_source(log, "f/g"), 1, 10);
		makelog_snapshot(log, 1, "exit");
		makelog_close(log);
	}
	fclose(file);
	struct log *log = log_open("runs.log");
	size_t snapshots = 0;
	size_t runs;
	while (log_next(log))
		snapshots++;
	log_runs(log, &runs);
	finished = log_finish(log);
	check("10,000 runs", snapshots == 10000 && runs == 10000 && finished);
	log_close(log);
}

int
main(void)
{
	bool finished = false;

	make_log();
	if (!freopen("messages", "w", stderr) || dup2(fileno(stderr), 2) < 0)
		return 1;
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	write_file("good.log", log_text, log_length);
	expected = read_all("good.log", &finished);
	check("good.log", finished && expected && *expected);
	no_logs();
	other_line_ends();
	odd_lines();
	pipes();
	many_runs();
	free(expected);
	free(log_text);
	return bad > 0;
}
