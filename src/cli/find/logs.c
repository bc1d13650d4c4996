#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "format.h"
#include "base/message.h"
#include "base/system.h"
#include "base/unit.h"
#include "log/reading.h"
#include "find/find.h"

enum {
	TOLD_MAX = 10,
	// pmem.<pid>.<uid>.log, of ten digits each.
	NAME_LENGTH = sizeof("pmem.0123456789.0123456789.log") - 1,
	// A file's time comes from a coarser clock than ours, or from a server's. Only a first
	// sieve: what is in the file decides.
	CLOCKS_DIFFER_SECONDS = 60,
};

struct found_log {
	const char *dir;
	char name[NAME_LENGTH + 1];
	long pid;
	bool is_childs;
	int64_t start_ms;
};

struct logs_search {
	const struct run_start *start;
	pid_t child;
	struct found_log *logs;
	size_t count;
	size_t room;
};

void
logs_mark(struct run_start *start)
{
	start->time_ms = clock_ms(CLOCK_REALTIME);
	// As the library does it, for a directory that is gone or outside our root.
	if (!getcwd(start->home, sizeof(start->home)) || start->home[0] != '/')
		strcpy(start->home, "/");
}

// The pid in pmem.<pid>.log or pmem.<pid>.<uid>.log, or -1 for any other name, or a longer one.
static long
pid_of_name(const char *name)
{
	if (strncmp(name, FORMAT_LOG_PREFIX, strlen(FORMAT_LOG_PREFIX)) != 0)
		return -1;
	name += strlen(FORMAT_LOG_PREFIX);
	size_t digits = strspn(name, "0123456789");
	size_t user = name[digits] == '.' ? strspn(name + digits + 1, "0123456789") : 0;
	const char *rest = name + digits + (user > 0 ? 1 + user : 0);
	if (digits == 0 || digits > 10 || user > 10 || strcmp(rest, FORMAT_LOG_SUFFIX) != 0)
		return -1;
	return atol(name);
}

// Whether the log has a header from this run, and if so its start. Earlier processes may
// have had the same pid, and exec begins a new header: any may be ours.
static bool
read_start(struct reading *reading, struct found_log *log, int64_t since_ms)
{
	struct header header = {0};

	while (reading_header(reading, &header))
		if (header.pid == (uint64_t)log->pid && header.start_ms && header.start_ms >= since_ms) {
			log->start_ms = header.start_ms;
			return true;
		}
	return false;
}

static bool
is_of_run(const char *path, struct found_log *log, const struct run_start *start)
{
	struct reading reading;

	if (!reading_begin(&reading, path))
		return false;
	bool is = reading.status.st_mtime >= start->time_ms / 1000 - CLOCKS_DIFFER_SECONDS
		&& read_start(&reading, log, start->time_ms);
	reading_end(&reading);
	return is;
}

static void
add(struct logs_search *search, const struct found_log *log)
{
	if (search->count == search->room) {
		size_t room = search->room ? search->room * 2 : TOLD_MAX;
		struct found_log *logs = reallocarray(search->logs, room, sizeof(*logs));
		if (!logs) {
			warn("%s: not listed:", log->name);
			return;
		}
		search->logs = logs;
		search->room = room;
	}
	search->logs[search->count++] = *log;
}

static void
search_dir(struct logs_search *search, const char *path)
{
	DIR *dir = opendir(path);
	if (!dir) {
		// Gone with all that was in it.
		if (errno != ENOENT)
			warn("%s: cannot look for logs:", path);
		return;
	}
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		struct found_log log = {.dir = path, .pid = pid_of_name(entry->d_name)};
		if (log.pid < 0)
			continue;
		log.is_childs = log.pid == search->child;
		memcpy(log.name, entry->d_name, strlen(entry->d_name));
		char file[PATH_MAX + sizeof(log.name) + 1];
		snprintf(file, sizeof(file), "%s/%s", path, log.name);
		if (is_of_run(file, &log, search->start))
			add(search, &log);
	}
	closedir(dir);
}

// Another directory than the one where the run began.
static bool
has_fallback(const struct run_start *start)
{
	return PMEM_LOG_FALLBACK_DIR[0] && access(PMEM_LOG_FALLBACK_DIR, F_OK) == 0
		&& !path_is_same_file(start->home, PMEM_LOG_FALLBACK_DIR);
}

// The child's own, then in the order in which they began.
static int
by_start(const void *left, const void *right)
{
	const struct found_log *a = left;
	const struct found_log *b = right;

	if (a->is_childs != b->is_childs)
		return a->is_childs ? -1 : 1;
	if (a->start_ms != b->start_ms)
		return a->start_ms < b->start_ms ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

static void
tell_none(const struct run_start *start, bool fallback)
{
	char least[UNIT_TEXT];
	uint64_t churn = PMEM_EXIT_MIN_CHURN > 0 ? PMEM_EXIT_MIN_CHURN : 1;

	warn("no log in %s%s%s. None is written for a program that has allocated and freed less than "
		"%s in all (PMEM_EXIT_MIN_CHURN in config.h), is killed or calls _exit() before its first "
		"snapshot, is linked statically or to musl, setuid or of another architecture, or can write "
		"to no such directory: one that changes its root or may write to no file needs a %s of its "
		"own there (README, \"Where the log is\")",
		start->home, fallback ? " or " : "", fallback ? PMEM_LOG_FALLBACK_DIR : "",
		unit_bytes(least, churn),
		PMEM_LOG_FALLBACK_DIR[0] ? PMEM_LOG_FALLBACK_DIR : "folder");
}

static char *
path_of(const struct found_log *log)
{
	char *path;

	if (asprintf(&path, "%s/%s", strcmp(log->dir, "/") == 0 ? "" : log->dir, log->name) < 0)
		return NULL;
	return path;
}

char **
logs_tell(const struct run_start *start, pid_t child)
{
	struct logs_search search = {.start = start, .child = child};
	bool fallback = has_fallback(start);

	search_dir(&search, start->home);
	if (fallback)
		search_dir(&search, PMEM_LOG_FALLBACK_DIR);
	if (search.count == 0)
		tell_none(start, fallback);
	if (search.count > 1)
		qsort(search.logs, search.count, sizeof(*search.logs), by_start);
	char **paths = calloc(search.count + 1, sizeof(*paths));
	for (size_t i = 0; paths && i < search.count; i++) {
		paths[i] = path_of(&search.logs[i]);
		if (!paths[i])
			break;
		if (i < TOLD_MAX)
			warn("log: %s", paths[i]);
	}
	if (search.count > TOLD_MAX)
		warn("and %zu more logs in %s%s%s", search.count - TOLD_MAX, start->home,
			fallback ? " and " : "", fallback ? PMEM_LOG_FALLBACK_DIR : "");
	free(search.logs);
	return paths;
}
