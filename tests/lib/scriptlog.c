// scriptlog LOG: makelog.h for shell tests: writes a log as the lines on standard input say, and
// answers each snapshot with a line, so that who drives it knows that it is there. LOG is there
// with its first snapshot: nobody finds it without a snapshot.
//
//	pid N, start TIME, show N, show_empty N, exe PATH, host NAME, first N   before all others
//	+ NAMES CALLS BYTES_EACH     NAMES as for makelog_source()
//	- NAMES CALLS BYTES_EACH
//	snapshot MILLISECONDS REASON
//	unseen NAMES                 the source's entries say so from then on
//	lose NAME COUNT              the losses that snapshots tell of from then on
//	memory OTHER FILE            in memory beside what is live, from then on: makelog_memory()
//	rotate                       LOG becomes LOG.1, and is begun anew
//	truncate                     as copytruncate does it

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "makelog.h"

static struct {
	const char *path;
	char beginning[4096]; // the name that a new file has up to its first snapshot; empty: its own
	FILE *file;
	struct makelog_options options;
	struct makelog *log;
} state;

static void
fail(const char *what)
{
	fprintf(stderr, "scriptlog: %s\n", what);
	exit(1);
}

static struct makelog *
get_log(void)
{
	if (!state.log)
		state.log = makelog_open(state.file, &state.options);
	return state.log;
}

static void
show(void)
{
	fflush(state.file);
	if (state.beginning[0] && rename(state.beginning, state.path) != 0)
		fail(state.beginning);
	state.beginning[0] = '\0';
}

static void
open_file(const char *mode)
{
	const char *slash = strrchr(state.path, '/');
	int folder = slash ? (int)(slash + 1 - state.path) : 0;

	if (state.file)
		fclose(state.file);
	if (access(state.path, F_OK) != 0)
		snprintf(state.beginning, sizeof(state.beginning), "%.*s.%s", folder, state.path,
			state.path + folder);
	state.file = fopen(state.beginning[0] ? state.beginning : state.path, mode);
	if (!state.file)
		fail(state.path);
	if (state.log)
		makelog_rotate(state.log, state.file);
}

static void
rotate(void)
{
	char old[4096];
	show();
	snprintf(old, sizeof(old), "%s.1", state.path);
	if (rename(state.path, old) != 0)
		fail(old);
	open_file("a");
}

static bool
set_option(const char *name, const char *value)
{
	unsigned long number = strtoul(value, NULL, 0);
	if (strcmp(name, "pid") == 0)
		state.options.pid = (long)number;
	else if (strcmp(name, "show") == 0)
		state.options.show = (unsigned)number;
	else if (strcmp(name, "show_empty") == 0)
		state.options.show_empty = (unsigned)number;
	else if (strcmp(name, "first") == 0)
		state.options.first_snapshot = number;
	else if (strcmp(name, "start") == 0)
		state.options.start = strdup(value);
	else if (strcmp(name, "exe") == 0)
		state.options.exe = strdup(value);
	else if (strcmp(name, "host") == 0)
		state.options.host = strdup(value);
	else
		return false;
	return true;
}

static void
take(char *line)
{
	char word[64] = "";
	char names[1024] = "";
	uint64_t calls = 0;
	uint64_t bytes = 0;

	line[strcspn(line, "\n")] = '\0';
	int count = sscanf(line, "%63s %1023s %" SCNu64 " %" SCNu64, word, names, &calls, &bytes);
	if (count <= 0 || word[0] == '#')
		return;
	if (strcmp(word, "+") == 0 && count == 4)
		makelog_malloc(get_log(), makelog_source(get_log(), names), calls, bytes);
	else if (strcmp(word, "-") == 0 && count == 4)
		makelog_free(get_log(), makelog_source(get_log(), names), calls, bytes);
	else if (strcmp(word, "unseen") == 0 && count == 2)
		makelog_unseen(get_log(), makelog_source(get_log(), names));
	else if (strcmp(word, "lose") == 0 && count == 3)
		makelog_lose(get_log(), names, calls);
	else if (strcmp(word, "memory") == 0 && count == 3)
		makelog_memory(get_log(), strtoul(names, NULL, 0), calls);
	else if (strcmp(word, "rotate") == 0)
		rotate();
	else if (strcmp(word, "truncate") == 0)
		open_file("w");
	else if (strcmp(word, "snapshot") != 0 && !(count == 2 && set_option(word, names)))
		fail(line);
	if (strcmp(word, "snapshot") == 0) {
		makelog_snapshot(get_log(), strtoul(names, NULL, 0), strrchr(line, ' ') + 1);
		show();
		puts("snapshot");
		fflush(stdout);
	}
}

int
main(int argc, char **argv)
{
	char line[2048];
	if (argc != 2)
		fail("usage: scriptlog LOG");
	state.path = argv[1];
	open_file("a");
	while (fgets(line, sizeof(line), stdin))
		take(line);
	show();
	return 0;
}
