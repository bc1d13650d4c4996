// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "format.h"
#include "base/message.h"
#include "base/system.h"
#include "base/memory.h"
#include "base/unit.h"
#include "log/input.h"
#include "log/reading.h"
#include "find/find.h"

enum {
	PLACES = 4,
	NAME_BYTES = 64,
};

struct log_place {
	char dir[PATH_MAX]; // path of the folder in the process's view; "" if not known
	bool is_parents;    // true if `dir` is in the view of the process's parent
};

struct log_search {
	const struct proc *process;
	struct log_place places[PLACES];
	char path[PATH_MAX * 2]; // the best log found so far; "" before the first
	char exe[PATH_MAX];      // program of the log's last run
	int64_t start_ms;        // start of the log's last run
	struct timespec written; // time of the last write to the log
	bool has_earlier;        // a log of an earlier process with this pid was found
	// If not NULL, the best log is not searched for. Each candidate is compared with this path
	// instead. is_meant becomes true if a candidate is this file, has_other if a candidate is
	// another file.
	const char *meant;
	bool is_meant, has_other;
};

// Processes that the command line named by their pids.
static struct {
	long *pids;
	size_t count, room;
} named;

static void
set_places(struct log_search *search)
{
	const struct proc *process = search->process;
	struct proc parent = {.pid = process->parent};
	struct log_place *place = search->places;

	// A process whose first thread has ended shows no folder: it may be ours.
	if (!process_link(process, "cwd", place->dir) && errno == ENOENT && !getcwd(place->dir, PATH_MAX))
		place->dir[0] = '\0';
	place++;
	process_variable(process, "PWD", place++->dir);
	place->is_parents = true;
	if (parent.pid > 0)
		process_link(&parent, "cwd", place->dir);
	place++;
	strcpy(place->dir, PMEM_LOG_FALLBACK_DIR);
	for (int i = 0; i < PLACES; i++) {
		if (search->places[i].dir[0] != '/')
			search->places[i].dir[0] = '\0';
		for (int k = 0; k < i; k++)
			if (strcmp(search->places[i].dir, search->places[k].dir) == 0)
				search->places[i].dir[0] = '\0';
	}
}

// Sets exe and *start_ms from the last header of this process in the log. A log may have several
// headers with its pid. Earlier processes may have had the pid, and each exec of the process begins
// a new run with a header.
static bool
read_headers(struct log_search *search, struct reading *reading, char exe[PATH_MAX],
	int64_t *start_ms)
{
	bool found = false;
	struct header header;

	while (reading_header(reading, &header)) {
		if (!header.start_ms || header.pid != (uint64_t)search->process->inner_pid)
			continue;
		if (header.start_ms < search->process->start_ms - PROCESS_CLOCKS_MS) {
			search->has_earlier = true;
			continue;
		}
		found = true;
		*start_ms = header.start_ms;
		snprintf(exe, PATH_MAX, "%s", header.exe);
	}
	return found;
}

// Returns true if the file's owner is a user of the process, or root. When the library creates the
// log, the process may still run as root.
static bool
may_be_its_file(const struct proc *process, const struct stat *status)
{
	bool is = status->st_uid == 0;
	for (int i = 0; i < PROCESS_UIDS; i++)
		is = is || status->st_uid == process->uids[i];
	return is;
}

bool
find_may_be_log(const char *path)
{
	struct stat status;
	return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static void
look_at(struct log_search *search, const char *path)
{
	struct reading reading;
	char exe[PATH_MAX];
	int64_t start_ms;

	if (search->meant) {
		bool is_meant = path_is_same_file(path, search->meant);
		search->is_meant |= is_meant;
		search->has_other |= !is_meant && access(path, F_OK) == 0;
		return;
	}
	if (!find_may_be_log(path) || !reading_begin(&reading, path))
		return;
	const struct stat *status = &reading.status;
	const struct timespec *written = &status->st_mtim, *before = &search->written;
	bool is_later = written->tv_sec != before->tv_sec ? written->tv_sec > before->tv_sec
		: written->tv_nsec > before->tv_nsec;
	if (may_be_its_file(search->process, status)
		&& read_headers(search, &reading, exe, &start_ms)
		&& (!search->path[0] || start_ms > search->start_ms
			|| (start_ms == search->start_ms && is_later))) {
		snprintf(search->path, sizeof(search->path), "%s", path);
		strcpy(search->exe, exe);
		search->start_ms = start_ms;
		search->written = status->st_mtim;
	}
	reading_end(&reading);
}

// Looks at the file `name` in one of the searched directories, by a path through /proc. If the same
// path without /proc leads to the same file, uses that path. It stays valid when the process has
// ended.
static void
look_for(struct log_search *search, const struct log_place *place, const char *name)
{
	const struct proc *process = search->process;
	char plain[PATH_MAX + NAME_BYTES];
	char rooted[sizeof(plain) + NAME_BYTES];

	snprintf(plain, sizeof(plain), "%s/%s", strcmp(place->dir, "/") == 0 ? "" : place->dir, name);
	snprintf(rooted, sizeof(rooted), "/proc/%ld/root%s",
		place->is_parents ? process->parent : process->pid, plain);
	if (access(rooted, F_OK) == 0 && !path_is_same_file(plain, rooted))
		look_at(search, rooted);
	else
		look_at(search, plain);
}

// Looks for the log's plain name, and for the names that contain a user id of the process. A
// process that changes its user continues its log in a file whose name contains the user id.
static void
look_in(struct log_search *search, const struct log_place *place)
{
	const struct proc *process = search->process;
	char name[NAME_BYTES];

	if (!place->dir[0])
		return;
	snprintf(name, sizeof(name), FORMAT_LOG_PREFIX "%ld" FORMAT_LOG_SUFFIX, process->inner_pid);
	look_for(search, place, name);
	for (int i = 0; i < PROCESS_UIDS; i++) {
		snprintf(name, sizeof(name), FORMAT_LOG_PREFIX "%ld.%u" FORMAT_LOG_SUFFIX,
			process->inner_pid, (unsigned)process->uids[i]);
		look_for(search, place, name);
	}
}

static void
tell_places(const struct log_search *search, char *text, size_t size)
{
	size_t length = 0;
	for (int i = 0; i < PLACES; i++) {
		if (!search->places[i].dir[0] || length >= size)
			continue;
		length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "",
			search->places[i].dir);
	}
}

static void
tell_missing(const struct log_search *search)
{
	const struct proc *process = search->process;
	char places[PATH_MAX] = "";
	char why[WHY_TEXT];
	const char *earlier = search->has_earlier ? ", but of an earlier process" : "";

	tell_places(search, places, sizeof(places));
	why_of_process(why, process);
	warn("%ld: no pmem.%ld.log in %s%s: %s", process->pid, process->inner_pid, places, earlier, why);
}

// Returns the path of the log of a running process; the caller owns it.
//
// The library writes pmem.<pid>.log in the directory where the process was started. /proc does not
// show that directory if the process has left it. So four directories are searched: the process's
// present one, its PWD variable, its parent's present one, and the fallback directory. The paths
// are looked up in the process's root, which may differ from ours. The headers in a log show
// whether it is of this process, or of an earlier one with this pid.
//
// Returns NULL after a warning that names the searched directories and the cause.
static char *
search_log(const struct proc *process)
{
	struct log_search *search = memory_get(1, sizeof(*search));
	char exe[PATH_MAX], *path = NULL;

	search->process = process;
	set_places(search);
	for (int i = 0; i < PLACES; i++)
		look_in(search, &search->places[i]);
	if (search->path[0]) {
		// If the log's last run is of another program than the process runs now, this program's log
		// must be elsewhere.
		if (process_link(process, "exe", exe) && search->exe[0] && !path_has_name_of(exe, search->exe))
			warn("%s: is of %s, which %ld was before it became %s", search->path, search->exe,
				process->pid, exe);
		path = memory_text(search->path, strlen(search->path));
		input_vouch(path);
	} else {
		tell_missing(search);
	}
	free(search);
	return path;
}

bool
find_is_log(const struct proc *process, const char *path)
{
	struct log_search *search = memory_get(1, sizeof(*search));
	char name[NAME_BYTES];

	search->process = process;
	search->meant = path;
	set_places(search);
	for (int i = 0; i < PLACES; i++)
		look_in(search, &search->places[i]);
	int length = snprintf(name, sizeof(name), FORMAT_LOG_PREFIX "%ld.", process->inner_pid);
	bool has_name = strncmp(path_last(path), name, (size_t)length) == 0;
	bool is_log = search->is_meant || (has_name && !search->has_other);
	free(search);
	return is_log;
}

// Returns true if an operand of a command line has only digits, and is no existing file.
static bool
is_pid(const char *operand)
{
	return *operand && operand[strspn(operand, "0123456789")] == '\0'
		&& access(operand, F_OK) != 0;
}

static bool
find_process(const char *pid, struct proc *process)
{
	uint64_t number;

	return unit_parse_number(&number, pid) && number <= INT32_MAX && process_read(process, (long)number);
}

bool
find_runs(const char *operand)
{
	struct proc process;

	return is_pid(operand) && find_process(operand, &process);
}

long
find_named(size_t number)
{
	return number < named.count ? named.pids[number] : 0;
}

char *
find_log_of_pid(const char *pid, struct proc *process)
{
	if (!find_process(pid, process))
		die(EXIT_DATA, "%s: no such process, and no such file", pid);
	char *path = search_log(process);
	if (!path)
		exit(EXIT_DATA);
	named.pids = memory_grow(named.pids, named.count, &named.room, sizeof(*named.pids));
	named.pids[named.count++] = process->pid;
	return path;
}

char **
find_logs_of_pids(char **operands)
{
	struct proc process;
	for (char **each = operands; *each; each++) {
		if (!is_pid(*each))
			continue;
		// The log that a process with this pid would leave in this folder.
		char *here = memory_format(FORMAT_LOG_PREFIX "%s" FORMAT_LOG_SUFFIX, *each);
		bool is_here = !find_process(*each, &process) && access(here, F_OK) == 0;
		*each = is_here ? here : find_log_of_pid(*each, &process);
	}
	return operands;
}
