// SPDX-License-Identifier: BSD-2-Clause

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "format.h"
#include "base/assert.h"
#include "base/message.h"
#include "base/system.h"
#include "base/unit.h"
#include "log/reading.h"
#include "find/find.h"

enum {
	PROC_BYTES = 64,
	TOLD_MAX = 10, // at most this many logs are listed
	// The length of pmem.<pid>.<uid>.log with ten digits each.
	NAME_LENGTH = sizeof("pmem.0123456789.0123456789.log") - 1,
	// A file's time comes from a coarser clock than ours, or from a file server's. So the file's
	// time is only a first filter, with this margin. The header in the file decides.
	CLOCKS_DIFFER_SECONDS = 60,
	// How long to wait for a process that is in the middle of an exec. A process with an empty
	// environment looks the same, so the wait has an end.
	EXEC_MS = 1000,
};

struct found_log {
	const char *dir;
	char name[NAME_LENGTH + 1];
	long pid, ppid;
	bool is_childs; // true if the child itself wrote the log
	bool is_here;  // true if the log's process was started in the run's directory
	bool is_ours;  // true if the log belongs to the run (find.h)
	int64_t start_ms;
};

struct logs_search {
	const struct run_start *start;
	pid_t child;
	struct found_log *logs;
	size_t count;
	size_t room;
	// number of newer logs that were left out, because they seem to be of other processes
	size_t others;
};

void
logs_mark(struct run_start *start)
{
	start->time_ms = clock_ms(CLOCK_REALTIME);
	start->ticks = process_ticks_now();
	// If the directory was removed or is outside our root, no path leads to it. Then "/" is taken.
	if (!getcwd(start->home, sizeof(start->home)) || start->home[0] != '/')
		strcpy(start->home, "/");
}

// Returns the pid in a name pmem.<pid>.log or pmem.<pid>.<uid>.log. Returns -1 for any other name.
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

// Returns true if the log has a header from this run, and takes the log's start from that header.
// All headers are tried: earlier processes may have had the pid, and each exec adds a header.
static bool
read_start(struct reading *reading, struct found_log *log, const struct run_start *start)
{
	static const char cwd[] = "# cwd ";
	struct header header = {0};
	bool is_found = false;

	while (!is_found && reading_header(reading, &header))
		is_found = header.pid == (uint64_t)log->pid && header.start_ms
			&& header.start_ms >= start->time_ms;
	log->start_ms = header.start_ms;
	log->ppid = (long)header.ppid;
	// The header may have more lines, one of which is the directory.
	while (is_found && reading_next(reading) && reading->text[0] == '#')
		log->is_here = log->is_here || (strncmp(reading->text, cwd, sizeof(cwd) - 1) == 0
			&& strcmp(reading->text + sizeof(cwd) - 1, start->home) == 0);
	return is_found;
}

static bool
is_of_run(const char *path, struct found_log *log, const struct run_start *start)
{
	struct reading reading;

	if (!find_may_be_log(path) || !reading_begin(&reading, path))
		return false;
	bool is = reading.status.st_mtime >= start->time_ms / 1000 - CLOCKS_DIFFER_SECONDS
		&& read_start(&reading, log, start);
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
		// A missing directory has no logs.
		if (errno != ENOENT)
			warn("%s: cannot look for logs:", path);
		return;
	}
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		struct found_log log = {.dir = path, .pid = pid_of_name(entry->d_name)};
		if (log.pid < 0)
			continue;
		log.is_childs = log.pid == search->child;
		log.is_ours = log.is_childs || path == search->start->home;
		ASSERT(strlen(entry->d_name) < sizeof(log.name));
		memcpy(log.name, entry->d_name, strlen(entry->d_name));
		char file[PATH_MAX + sizeof(log.name) + 1];
		snprintf(file, sizeof(file), "%s/%s", path, log.name);
		if (is_of_run(file, &log, search->start))
			add(search, &log);
	}
	closedir(dir);
}

// Returns true if the fallback directory exists, and is not the run's directory.
static bool
has_fallback(const struct run_start *start)
{
	return PMEM_LOG_FALLBACK_DIR[0] && access(PMEM_LOG_FALLBACK_DIR, F_OK) == 0
		&& !path_is_same_file(start->home, PMEM_LOG_FALLBACK_DIR);
}

// Compares two logs for qsort(): the child's log comes first, the others follow by their start.
static int
by_start(const void *left, const void *right)
{
	const struct found_log *a = left, *b = right;

	if (a->is_childs != b->is_childs)
		return a->is_childs ? -1 : 1;
	if (a->start_ms != b->start_ms)
		return a->start_ms < b->start_ms ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

// Removes logs in the fallback directory that seem not to belong to the run.
static void
leave_out_others(struct logs_search *search)
{
	size_t left = 0;

	for (bool is_any = true; is_any;) {
		is_any = false;
		for (size_t i = 0; i < search->count; i++) {
			struct found_log *log = &search->logs[i];
			bool is_ours = log->is_here || log->ppid == search->child;
			for (size_t k = 0; k < search->count && !is_ours; k++)
				is_ours = search->logs[k].is_ours && search->logs[k].pid == log->ppid;
			is_any = is_any || (is_ours && !log->is_ours);
			log->is_ours = log->is_ours || is_ours;
		}
	}
	for (size_t i = 0; i < search->count; i++)
		if (search->logs[i].is_ours)
			search->logs[left++] = search->logs[i];
	search->others = search->count - left;
	search->count = left;
}

// Sets path to the command's file, found by PATH as exec does.
static bool
find_command(char path[PATH_MAX], const char *command)
{
	const char *list = getenv("PATH");

	snprintf(path, PATH_MAX, "%s", command);
	if (strchr(command, '/'))
		return true;
	while (list && *list) {
		size_t length = strcspn(list, ":");
		snprintf(path, PATH_MAX, "%.*s/%s", (int)length, list, command);
		if (access(path, X_OK) == 0)
			return true;
		list += length + (list[length] == ':');
	}
	return false;
}

// Returns true if the process is in our process group, or in the run's directory.
static bool
is_left_behind(const struct proc *process, const struct run_start *start)
{
	char cwd[PATH_MAX];

	return getpgid((pid_t)process->pid) == getpgrp()
		|| (process_link(process, "cwd", cwd) && strcmp(cwd, start->home) == 0);
}

// Returns true if the library is loaded into the process, or the loader will load it. Sets
// *is_early if this is not known yet, because the process is in the middle of an exec. exec sets
// the environment last. So the environment is read last. If an exec began meanwhile, the
// environment is still empty, or it is already the new program's environment.
static bool
gets_library(const struct proc *process, bool *is_early)
{
	char exe[PROC_BYTES], program[PATH_MAX], preload[PATH_MAX], why[WHY_TEXT];

	if (process_library(process))
		return true;
	if (process_variable(process, "LD_PRELOAD", preload)) {
		snprintf(exe, sizeof(exe), "/proc/%ld/exe", process->pid);
		return process_preloads_library(preload) && !why_of_file(why, exe, exe);
	}
	// A kernel thread has an empty environment, too, but no program.
	if (errno == EAGAIN && process_link(process, "exe", program))
		*is_early = true;
	return false;
}

// Returns the pid of a process that began after the run began, and has the library or will load it.
// Returns 0 if no process is found.
static long
look_for_running(const struct run_start *start, bool *is_early)
{
	DIR *dir = opendir("/proc");
	long pid = 0;

	*is_early = false;
	for (struct dirent *entry = dir ? readdir(dir) : NULL; entry && pid == 0;
			entry = readdir(dir)) {
		struct proc process;
		long number = atol(entry->d_name);
		if (number > 0 && number != getpid() && process_read(&process, number)
				&& process.ticks >= start->ticks && is_left_behind(&process, start)
				&& gets_library(&process, is_early))
			pid = number;
	}
	if (dir)
		closedir(dir);
	return pid;
}

// Repeats look_for_running() while a process is in the middle of an exec. On a busy machine an exec
// may take long.
static long
find_running(const struct run_start *start)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	int64_t until = clock_ms(CLOCK_MONOTONIC) + EXEC_MS;
	bool is_early;
	long pid = look_for_running(start, &is_early);

	while (pid == 0 && is_early && clock_ms(CLOCK_MONOTONIC) < until) {
		nanosleep(&pause, NULL);
		pid = look_for_running(start, &is_early);
	}
	return pid;
}

// Returns true for programs that start their command with a new environment, without LD_PRELOAD.
// The program env drops LD_PRELOAD only with options.
static bool
clears_environment(char *const *command)
{
	static const char *const names[] = {"sudo", "su", "doas", "runuser", "systemd-run"};
	const char *name = path_last(command[0]);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strcmp(name, "env") == 0 && command[1] && command[1][0] == '-';
}

static void
tell_none(const struct run_start *start, bool fallback, char *const *argv, int status)
{
	const char *command = argv[0];
	char why[WHY_TEXT], path[PATH_MAX], least[UNIT_TEXT];
	uint64_t churn = PMEM_EXIT_MIN_CHURN > 0 ? PMEM_EXIT_MIN_CHURN : 1;
	long running;

	unit_bytes(least, churn);
	if (clears_environment(argv))
		snprintf(why, sizeof(why), "%s may clear the environment, and LD_PRELOAD with it: put pmem run "
			"behind it, %s ... pmem run -- COMMAND", command, command);
	else if (find_command(path, command) && why_of_file(why, path, command))
		;
	else if ((running = find_running(start)) > 0)
		snprintf(why, sizeof(why), "process %ld runs on, and has written none so far: its first comes "
			"once it has allocated and freed %s; ask for it by its pid then", running, least);
	else if (why_of_folder(why, start->home, false))
		;
	else if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "%s was killed by signal %d (%s) before its first snapshot: let it "
			"end by itself, or run longer", command, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(why, sizeof(why), "%s has allocated and freed less than %s in all "
			"(PMEM_EXIT_MIN_CHURN in config.h), or it calls _exit(), changes its root or may write to no "
			"file: let it do more, or give it a folder (README, \"Where the log is\")", command, least);
	warn("no log in %s%s%s: %s", start->home, fallback ? " or " : "",
		fallback ? PMEM_LOG_FALLBACK_DIR : "", why);
}

// Returns the folder's path without a final slash.
static const char *
folder_name(const char *dir)
{
	return strcmp(dir, "/") == 0 ? "" : dir;
}

void
logs_foretell(const struct run_start *start, pid_t child)
{
	bool is_home = access(start->home, W_OK | X_OK) == 0 || !has_fallback(start);

	warn("the log of process %d, once it has one: %s/" FORMAT_LOG_PREFIX "%d" FORMAT_LOG_SUFFIX, child,
		folder_name(is_home ? start->home : PMEM_LOG_FALLBACK_DIR), child);
}

char **
logs_tell(const struct run_start *start, pid_t child, char *const *command, int status)
{
	struct logs_search search = {.start = start, .child = child};
	bool fallback = has_fallback(start);

	search_dir(&search, start->home);
	if (fallback)
		search_dir(&search, PMEM_LOG_FALLBACK_DIR);
	leave_out_others(&search);
	if (search.count == 0)
		tell_none(start, fallback, command, status);
	if (search.count > 1)
		qsort(search.logs, search.count, sizeof(*search.logs), by_start);
	char **paths = calloc(search.count + 1, sizeof(*paths));
	for (size_t i = 0; paths && i < search.count; i++) {
		if (asprintf(&paths[i], "%s/%s", folder_name(search.logs[i].dir), search.logs[i].name) < 0) {
			paths[i] = NULL;
			break;
		}
		if (i < TOLD_MAX)
			warn("log: %s", paths[i]);
	}
	if (search.count > TOLD_MAX)
		warn("and %zu more logs in %s%s%s", search.count - TOLD_MAX, start->home,
			fallback ? " and " : "", fallback ? PMEM_LOG_FALLBACK_DIR : "");
	if (search.others > 0)
		warn("not listed: %zu more log%s in %s began meanwhile, of others as it seems", search.others,
			search.others > 1 ? "s" : "", PMEM_LOG_FALLBACK_DIR);
	free(search.logs);
	return paths;
}
