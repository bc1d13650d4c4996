// SPDX-License-Identifier: BSD-2-Clause
// The functions here return the first cause that they find, as a sentence with what to do. The
// program's file is examined first, because it may rule out preloading. The process comes next, and
// the folders last.

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "config.h"
#include "format.h"
#include "base/file.h"
#include "base/system.h"
#include "base/unit.h"
#include "find/find.h"

enum {
	PROC_BYTES = 64,
	// A script's interpreter may be a script, too. At most this many files are examined.
	SCRIPTS = 4,
	SEGMENTS = 64, // at most this many program headers of an ELF file are searched
	YOUNG_MS = PMEM_CHILD_MS + 500, // a younger forked child may have no log yet
};

static char *
say(char why[WHY_TEXT], const char *name, const char *what)
{
	snprintf(why, WHY_TEXT, "%s %s", name, what);
	return why;
}

// Sets `loader` to the loader's path that the ELF file names, or to "" if it is linked statically.
// Returns false if the file cannot be read.
static bool
read_loader(int fd, const Elf64_Ehdr *elf, char loader[PATH_MAX])
{
	Elf64_Phdr segments[SEGMENTS];
	size_t count = elf->e_phnum < SEGMENTS ? elf->e_phnum : SEGMENTS;
	ssize_t bytes = (ssize_t)(count * sizeof(*segments));

	loader[0] = '\0';
	if (elf->e_phentsize != sizeof(*segments)
			|| pread(fd, segments, (size_t)bytes, (off_t)elf->e_phoff) != bytes)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (segments[i].p_type != PT_INTERP)
			continue;
		ssize_t length = pread(fd, loader, PATH_MAX - 1, (off_t)segments[i].p_offset);
		loader[length > 0 ? length : 0] = '\0';
		return length > 0;
	}
	return true;
}

static uint16_t
own_machine(void)
{
	Elf64_Ehdr elf = {0};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, &elf, sizeof(elf)) != sizeof(elf))
		elf.e_machine = EM_NONE;
	if (fd >= 0)
		close(fd);
	return elf.e_machine;
}

static bool
why_of_elf(char why[WHY_TEXT], const char *name, int fd, const Elf64_Ehdr *elf)
{
	char loader[PATH_MAX];

	if (elf->e_ident[EI_CLASS] == ELFCLASS32)
		return say(why, name, "is of 32 bits, and " PATH_LIBRARY " of 64: use a build of 64");
	if (elf->e_machine != own_machine())
		return say(why, name, "is of another machine: build pmem for that one, too");
	if (!read_loader(fd, elf, loader))
		return false;
	if (!loader[0])
		return say(why, name, "is linked statically, so that nothing can be preloaded: link it "
			"dynamically");
	return false;
}

// Returns true if the loader preloads nothing because the file gives its process additional rights.
// Such a file is setuid or setgid, or has file capabilities. For root, file capabilities add no
// rights, so the loader still preloads.
static bool
why_of_rights(char why[WHY_TEXT], const char *name, int fd, const struct stat *status)
{
	bool as_user = (status->st_mode & S_ISUID) && status->st_uid != getuid();
	bool as_group = (status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP)
		&& status->st_gid != getgid();

	if (as_user || as_group)
		return say(why, name, "is setuid or setgid, for which the loader preloads nothing: run it as "
			"the user that it becomes, or put pmem run behind it");
	if (getuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0)
		return say(why, name, "has file capabilities, for which the loader preloads nothing: run a "
			"copy without them (setcap -r), as with systemd's AmbientCapabilities");
	return false;
}

// Sets path to the interpreter in a script's first line. Returns false if the file is no script.
static bool
read_script(int fd, char path[PATH_MAX])
{
	char line[PATH_MAX];
	ssize_t length = pread(fd, line, sizeof(line) - 1, 0);

	line[length > 0 ? length : 0] = '\0';
	if (strncmp(line, "#!", 2) != 0)
		return false;
	const char *program = line + 2 + strspn(line + 2, " \t");
	snprintf(path, PATH_MAX, "%.*s", (int)strcspn(program, " \t\n"), program);
	return true;
}

bool
why_of_file(char why[WHY_TEXT], const char *path, const char *name)
{
	char script[PATH_MAX];
	bool is_found = false;

	for (int i = 0; i < SCRIPTS && !is_found; i++) {
		Elf64_Ehdr elf = {0};
		struct stat status;
		int fd = file_open(path, PATH_FOUND, &status);
		if (fd < 0)
			return false;
		bool is_elf = pread(fd, &elf, sizeof(elf), 0) >= (ssize_t)sizeof(Elf32_Ehdr)
			&& memcmp(elf.e_ident, ELFMAG, SELFMAG) == 0;
		bool is_script = !is_elf && read_script(fd, script);
		is_found = is_elf && (why_of_elf(why, name, fd, &elf)
			|| why_of_rights(why, name, fd, &status));
		close(fd);
		if (!is_script)
			break;
		path = name = script;
	}
	return is_found;
}

struct logs {
	size_t count;
	uint64_t bytes;
};

static struct logs
count_logs(const char *folder)
{
	struct logs logs = {0};
	DIR *dir = opendir(folder);
	struct stat status;

	for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
		if (strncmp(entry->d_name, FORMAT_LOG_PREFIX, strlen(FORMAT_LOG_PREFIX)) != 0
				|| !strstr(entry->d_name, FORMAT_LOG_SUFFIX))
			continue;
		logs.count++;
		if (fstatat(dirfd(dir), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
			logs.bytes += (uint64_t)status.st_size;
	}
	if (dir)
		closedir(dir);
	return logs;
}

bool
why_of_folder(char why[WHY_TEXT], const char *folder, bool may_write)
{
	// The library begins no log if a sixteenth of PMEM_LOG_FOLDER_BYTES or less is left. It
	// counts each log as a bit larger than the file, since logs grow. room / 1024 stands for
	// these bits.
	uint64_t room = PMEM_LOG_FOLDER_BYTES, most = room - room / 16 - room / 1024;
	char count[UNIT_TEXT], bytes[UNIT_TEXT];
	struct logs logs = count_logs(folder);

	unit_count(count, logs.count);
	unit_bytes(bytes, logs.bytes);
	if (PMEM_LOG_FILES > 0 && logs.count >= (size_t)PMEM_LOG_FILES)
		snprintf(why, WHY_TEXT, "%s has %s logs, and at %d only processes a minute old begin one "
			"(PMEM_LOG_FILES): remove some, or start elsewhere", folder, count, PMEM_LOG_FILES);
	else if (room > 0 && logs.bytes >= most)
		snprintf(why, WHY_TEXT, "%s has %s of logs, which leaves no room for another "
			"(PMEM_LOG_FOLDER_BYTES): remove some, or start elsewhere", folder, bytes);
	else if (!may_write && access(folder, W_OK | X_OK) != 0
			&& access(PMEM_LOG_FALLBACK_DIR, W_OK | X_OK) != 0)
		snprintf(why, WHY_TEXT, "neither %s nor %s can be written: start in a folder that can", folder,
			PMEM_LOG_FALLBACK_DIR);
	else
		return false;
	return true;
}

// Returns true if the process was forked, has exec'ed no other program, and is too young to have a
// log.
static bool
is_young_child(const struct proc *process)
{
	struct proc parent = {.pid = process->parent};
	char exe[PATH_MAX], its_exe[PATH_MAX];

	return clock_ms(CLOCK_REALTIME) - process->start_ms < YOUNG_MS
		&& process_link(process, "exe", exe) && process_link(&parent, "exe", its_exe)
		&& strcmp(exe, its_exe) == 0;
}

// Sets why[] for a process that has the library loaded, and no log.
static void
why_is_silent(char why[WHY_TEXT], const struct proc *process, const char *library)
{
	char name[UNIT_TEXT + 48], folder[PATH_MAX], seccomp[PROCESS_LINE];
	bool is_sampled = strcmp(library, PATH_SAMPLED) == 0;
	// Here PMEM_SAMPLE_BYTES is that of the other library (config.h).
	uint64_t churn = PMEM_CHURN_THRESH
		+ (is_sampled && PMEM_SAMPLE_BYTES == 0 ? 16UL * PATH_SAMPLED_BYTES : 0);
	bool is_rooted = process_link(process, "root", folder) && strcmp(folder, "/") != 0;

	snprintf(name, sizeof(name), "%s is loaded in %ld, and", library, process->pid);
	if (process_link(process, "cwd", folder) && why_of_folder(why, folder, true))
		return;
	if (is_rooted)
		say(why, name, "that has changed its root: give it a folder for its logs there (README, "
			"\"Where the log is\"), or name the log's path");
	else if (process_line(process, "status", "Seccomp:", seccomp) && atol(seccomp) > 0)
		say(why, name, "that is in a sandbox (seccomp), which may forbid to open files: let it, or "
			"name the log's path");
	else if (is_young_child(process))
		say(why, name, "that has just begun: a forked child has a log once it has run for a second");
	else
		snprintf(why, WHY_TEXT, "%s that has written none so far, or elsewhere: the first comes once "
			"it has allocated and freed %s (PMEM_CHURN_THRESH); else name the log's path", name,
			unit_bytes(UNIT_ROOM, churn));
}

void
why_of_process(char why[WHY_TEXT], const struct proc *process)
{
	char exe[PROC_BYTES], name[PATH_MAX], preload[PATH_MAX], pid[UNIT_TEXT];

	snprintf(exe, sizeof(exe), "/proc/%ld/exe", process->pid);
	snprintf(pid, sizeof(pid), "%ld", process->pid);
	const char *library = process_library(process);
	if (library) {
		why_is_silent(why, process, library);
		return;
	}
	if (errno != 0) {
		say(why, pid, "is not ours to see, neither its directory nor its libraries: name the log's "
			"path, or be its user");
		return;
	}
	if (!process_link(process, "exe", name))
		strcpy(name, pid);
	if (why_of_file(why, exe, name))
		return;
	if (!process_variable(process, "LD_PRELOAD", preload)
			|| !process_preloads_library(preload))
		snprintf(why, WHY_TEXT, PATH_LIBRARY " is not loaded in %ld, whose environment does not name it "
			"(LD_PRELOAD), or no more (env -i, sudo): start it with pmem run, or set LD_PRELOAD where it "
			"is started", process->pid);
	else
		snprintf(why, WHY_TEXT, PATH_LIBRARY " is not loaded in %ld, though LD_PRELOAD names it: the "
			"loader has said why on its standard error; the file must be there and readable for it",
			process->pid);
}
