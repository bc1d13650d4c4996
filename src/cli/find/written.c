// SPDX-License-Identifier: BSD-2-Clause
// Reads /proc and the state of the log's file system. If we may not read these, the functions
// return false.

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/statvfs.h>

#include "base/message.h"
#include "base/system.h"
#include "base/unit.h"
#include "find/find.h"

enum { PATH_BYTES = 64 };

// Sets *limit to the soft limit with this name in /proc/PID/limits. Returns false if the process is
// not limited, or if the limit is not known.
static bool
read_limit(const struct proc *process, const char *name, uint64_t *limit)
{
	char text[PROCESS_LINE];

	return process_line(process, "limits", name, text) && sscanf(text, " %" SCNu64, limit) == 1;
}

static uint64_t
count_open_files(const struct proc *process)
{
	char path[PATH_BYTES];
	uint64_t count = 0;

	snprintf(path, sizeof(path), "/proc/%ld/fd", process->pid);
	DIR *dir = opendir(path);
	for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir))
		count += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

// Returns true if the file system has no room for `wanted` bytes more from this process. A process
// of root may also use the blocks that are reserved for root.
static bool
is_full(const struct proc *process, const struct statvfs *disk, uint64_t wanted)
{
	uint64_t left = process->uids[1] == 0 ? disk->f_bfree : disk->f_bavail;
	return left * disk->f_frsize < wanted || (disk->f_files > 0 && disk->f_ffree == 0);
}

bool
written_not_now(const struct proc *process, const char *path, uint64_t snapshots,
	char why[WRITTEN_TEXT])
{
	char folder[PATH_MAX];
	struct stat status;
	struct statvfs disk;
	uint64_t limit;

	snprintf(folder, sizeof(folder), "%.*s", (int)(path_last(path) - path), path);
	if (stat(path, &status) != 0 || statvfs(folder[0] ? folder : ".", &disk) != 0)
		return false;
	// The mean size of the log's snapshots.
	uint64_t mean = (uint64_t)status.st_size / (snapshots > 0 ? snapshots : 1);
	if (disk.f_flag & ST_RDONLY) {
		snprintf(why, WRITTEN_TEXT, "its file system can only be read by now");
	} else if (is_full(process, &disk, mean)) {
		snprintf(why, WRITTEN_TEXT, "its file system is full: make room");
	} else if (read_limit(process, "Max file size", &limit)
			&& limit < (uint64_t)status.st_size + mean) {
		snprintf(why, WRITTEN_TEXT, "it has %s, and the process's files %s at most "
			"(RLIMIT_FSIZE, systemd's LimitFSIZE): raise that",
			unit_bytes(UNIT_ROOM, (uint64_t)status.st_size), unit_bytes(UNIT_ROOM, limit));
	} else if (read_limit(process, "Max open files", &limit)
			&& count_open_files(process) >= limit) {
		snprintf(why, WRITTEN_TEXT, "the process has all %s files open that it may have "
			"(RLIMIT_NOFILE): raise that", unit_count(UNIT_ROOM, limit));
	} else {
		return false;
	}
	return true;
}

bool
written_now(struct proc *process, const struct run *run, const char *path, bool *known)
{
	return process_of_run(process, run, known) && find_is_log(process, path);
}
