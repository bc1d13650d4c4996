// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/system.h"
#include "find/find.h"

enum {
	NAME_MAX_PROC = 64,
	LINE_BYTES = 4096,
};

static uint64_t
ticks_each_second(void)
{
	return (uint64_t)sysconf(_SC_CLK_TCK);
}

static FILE *
open_proc(long pid, const char *name)
{
	char path[NAME_MAX_PROC];
	snprintf(path, sizeof(path), "/proc/%ld/%s", pid, name);
	return fopen(path, "re");
}

// Reads fields of /proc/PID/stat (proc(5)): field 3 is the state, 4 the ppid, 20 the number of threads,
// 22 the start time. Field 2 is the program's name, which may have any bytes, so fields are counted
// from its end. The state is the first thread's, which may have ended by itself: a zombie with more
// threads runs.
static bool
read_stat(struct proc *process)
{
	char line[LINE_BYTES];
	char its_state = 'X';
	long threads;
	FILE *file = open_proc(process->pid, "stat");
	if (!file)
		return false;
	size_t length = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[length] = '\0';
	const char *fields = strrchr(line, ')');
	if (!fields || sscanf(fields + 1, " %c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u "
			"%*u %*d %*d %*d %*d %ld %*d %" SCNu64, &its_state, &process->parent,
			&threads, &process->ticks) != 4)
		return false;
	int64_t boot_ms = clock_ms(CLOCK_REALTIME) - clock_ms(CLOCK_BOOTTIME);
	process->start_ms = boot_ms + (int64_t)(process->ticks * 1000 / ticks_each_second());
	return its_state != 'X' && (its_state != 'Z' || threads > 1);
}

// Reads the user ids, and the pid in the process's own pid namespace. NSpid lists the pids from our
// namespace inwards, so the last one is taken.
static void
read_status(struct proc *process)
{
	char line[LINE_BYTES];
	FILE *file = open_proc(process->pid, "status");

	process->inner_pid = process->pid;
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		unsigned *uids = process->uids;
		if (sscanf(line, "Uid: %u %u %u %u", &uids[0], &uids[1], &uids[2], &uids[3]) > 0)
			continue;
		if (strncmp(line, "NSpid:", 6) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		const char *last = strrchr(line, '\t');
		process->inner_pid = atol(last ? last + 1 : line + 6);
	}
	fclose(file);
}

bool
process_read(struct proc *process, long pid)
{
	memset(process, 0, sizeof(*process));
	process->pid = pid;
	if (!read_stat(process))
		return false;
	read_status(process);
	return true;
}

// The result is rounded down, as the kernel rounds the start time in /proc/PID/stat.
uint64_t
process_ticks_now(void)
{
	return (uint64_t)clock_ms(CLOCK_BOOTTIME) * ticks_each_second() / 1000;
}

bool
process_is_there(const struct proc *process)
{
	struct proc now = {.pid = process->pid};
	return read_stat(&now) && now.ticks == process->ticks;
}

static long
our_pid_namespace(void)
{
	char link[NAME_MAX_PROC] = "";
	long number = 0;
	if (readlink("/proc/self/ns/pid", link, sizeof(link) - 1) > 0)
		sscanf(link, "pid:[%ld]", &number);
	return number;
}

bool
process_link(const struct proc *process, const char *name, char path[PATH_MAX])
{
	char link[NAME_MAX_PROC];
	snprintf(link, sizeof(link), "/proc/%ld/%s", process->pid, name);
	ssize_t length = readlink(link, path, PATH_MAX - 1);
	path[length > 0 ? length : 0] = '\0';
	return length > 0;
}

bool
process_of_run(struct proc *process, const struct run *run, bool *known)
{
	struct utsname here;
	char exe[PATH_MAX];

	*known = run->pid > 0 && run->start_ms > 0 && run->pidns > 0
		&& run->pidns == our_pid_namespace() && uname(&here) == 0
		&& strcmp(here.nodename, run->host) == 0;
	if (!*known || run->ended || !process_read(process, run->pid))
		return false;
	if (process->start_ms <= run->start_ms + PROCESS_CLOCKS_MS)
		return true;
	// The process with this pid began after the run began. So it is another process, unless the
	// clock was set since. If it runs the run's program, the clock may have been set, and
	// nothing is known.
	*known = !process_link(process, "exe", exe) || !path_has_name_of(exe, run->exe);
	return false;
}

bool
process_is_gone(const struct run *run)
{
	struct proc process;
	bool known;

	if (process_of_run(&process, run, &known) || !known)
		return false;
	// What can be read, and is not the process, is another one, or a zombie.
	FILE *stat = open_proc(run->pid, "stat");
	if (stat)
		fclose(stat);
	// Its folder in /proc may be hidden from us (hidepid= of proc(5)), but not its number.
	return run->ended || stat || (kill((pid_t)run->pid, 0) != 0 && errno == ESRCH);
}

const char *
process_library(const struct proc *process)
{
	static const char *const names[] = {PATH_LIBRARY, PATH_SAMPLED};
	char *line = NULL;
	size_t room = 0;
	const char *found = NULL;
	FILE *file = open_proc(process->pid, "maps");
	if (!file)
		return NULL;
	while (!found && getline(&line, &room, file) > 0) {
		const char *slash = strrchr(line, '/');
		for (size_t i = 0; slash && !found && i < sizeof(names) / sizeof(*names); i++) {
			size_t length = strlen(names[i]);
			if (strncmp(slash + 1, names[i], length) == 0
				&& (slash[1 + length] == '\n' || slash[1 + length] == ' '))
				found = names[i];
		}
	}
	free(line);
	// For another user's process, `maps` can be opened, but not read.
	int why = ferror(file) ? EACCES : 0;
	fclose(file);
	errno = why;
	return found;
}

bool
process_preloads_library(const char *preload)
{
	return strstr(preload, PATH_LIBRARY) || strstr(preload, PATH_SAMPLED);
}

bool
process_line(const struct proc *process, const char *file, const char *name, char text[PROCESS_LINE])
{
	FILE *lines = open_proc(process->pid, file);
	size_t length = strlen(name);
	bool is_there = false;

	while (lines && !is_there && fgets(text, PROCESS_LINE, lines))
		is_there = strncmp(text, name, length) == 0;
	if (is_there)
		memmove(text, text + length, strlen(text + length) + 1);
	if (lines)
		fclose(lines);
	return is_there;
}

uint64_t
process_memory(const struct proc *process)
{
	char most[PROCESS_LINE], swapped[PROCESS_LINE];

	if (!process_line(process, "status", "VmHWM:", most))
		return 0;
	if (!process_line(process, "status", "VmSwap:", swapped))
		swapped[0] = '\0';
	uint64_t kilobytes = strtoull(most, NULL, 10);
	return kilobytes > 0 ? (kilobytes + strtoull(swapped, NULL, 10)) * 1024 : 0;
}

bool
process_variable(const struct proc *process, const char *name, char value[PATH_MAX])
{
	char *text = NULL;
	size_t room = 0;
	size_t length = strlen(name);
	bool has = false, is_empty = true;
	FILE *file = open_proc(process->pid, "environ");
	if (!file)
		return false;
	while (!has && getdelim(&text, &room, '\0', file) > 0) {
		is_empty = false;
		has = strncmp(text, name, length) == 0 && text[length] == '='
			&& strlen(text + length + 1) < PATH_MAX;
		if (has)
			strcpy(value, text + length + 1);
	}
	free(text);
	int why = is_empty && !ferror(file) ? EAGAIN : 0;
	fclose(file);
	errno = why;
	return has;
}
