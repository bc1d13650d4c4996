// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/system.h"

enum {
	// Two errors of this module for which no errno exists. file_why() returns their texts.
	NO_FILE = ENODEV,
	FOREIGN_LINK = EPERM,
	// The number of openat2(2), of Linux 5.6. Many C libraries do not have the call yet.
	CALL_OPENAT2 = 437,
	IN_ROOT = 0x10, // RESOLVE_IN_ROOT
	PIPES = 0x50495045, // PIPEFS_MAGIC of the kernel
	EXTENTS_MAX = 4096,
};

// Returns true if a file system of this type shows data of the kernel, as /proc does. Reading its
// files may have effects: some files block for ever, and some lose the data that is read.
static bool
is_kernels(long type)
{
	static const unsigned kernels[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC,
		SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC, SELINUX_MAGIC,
		SMACK_MAGIC, PSTOREFS_MAGIC, EFIVARFS_MAGIC, DEVPTS_SUPER_MAGIC, BINFMTFS_MAGIC,
		0x62656570 /* configfs */, 0x65735543 /* fusectl */, 0x19800202 /* mqueue */};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		if ((unsigned)type == kernels[i])
			return true;
	return false;
}

static bool
is_trusted(uid_t owner)
{
	return owner == 0 || owner == geteuid();
}

static bool
folder_of(const char *path, struct stat *status)
{
	const char *name = path_last(path);
	char *folder = name > path ? memory_text(path, (size_t)(name - path)) : memory_text(".", 1);
	bool is_there = stat(folder, status) == 0;

	free(folder);
	return is_there;
}

bool
file_is_in_open_folder(const char *path)
{
	struct stat folder;
	return folder_of(path, &folder) && (folder.st_mode & S_IWOTH);
}

bool
file_is_writable_by_all(const struct stat *status)
{
	return status->st_mode & S_IWOTH;
}

// Returns true if the link may be followed. If everyone may write to the link's folder, the folder
// must be sticky, and the link's owner trusted. The kernel has the same rule, but it can be
// switched off (proc(5), protected_symlinks).
static bool
may_follow(const char *path, const struct stat *link)
{
	struct stat folder;
	return folder_of(path, &folder) && (!(folder.st_mode & S_IWOTH)
		|| ((folder.st_mode & S_ISVTX) && is_trusted(link->st_uid)));
}

bool
file_may_be_followed(const char *path)
{
	struct stat link;

	if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || may_follow(path, &link))
		return true;
	errno = FOREIGN_LINK;
	return false;
}

// Opens the file with O_PATH, and sets *status. A link is followed only if may_follow() allows it.
static int
name_file(const char *path, struct stat *status)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || fstat(fd, status) != 0 || !S_ISLNK(status->st_mode))
		return fd;
	close(fd);
	if (!may_follow(path, status)) {
		errno = FOREIGN_LINK;
		return -1;
	}
	fd = open(path, O_PATH | O_CLOEXEC);
	return fd < 0 || fstat(fd, status) == 0 ? fd : -1;
}

// Returns 0 if the file may be read, or an errno.
static int
refusal(int fd, enum path_from from, const struct stat *status)
{
	struct statfs system;

	if (S_ISDIR(status->st_mode))
		return EISDIR;
	if (fstatfs(fd, &system) != 0)
		return errno;
	if (S_ISFIFO(status->st_mode) && from == PATH_NAMED)
		return is_trusted(status->st_uid) || system.f_type == PIPES ? 0 : NO_FILE;
	return S_ISREG(status->st_mode) && !is_kernels(system.f_type) ? 0 : NO_FILE;
}

// Opens for reading the file that the O_PATH descriptor `named` stands for, and closes `named`. The
// file is opened through the descriptor's link in /proc. Without /proc, the path is opened again,
// and must lead to the same file.
static int
reopen(int named, const char *path, const struct stat *status)
{
	char link[64];
	struct stat now;
	int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (S_ISREG(status->st_mode) ? O_NONBLOCK : 0);

	snprintf(link, sizeof(link), "/proc/self/fd/%d", named);
	int fd = open(link, flags);
	if (fd < 0 && errno == ENOENT && access("/proc/self/fd", F_OK) != 0) {
		fd = open(path, flags | O_NOFOLLOW);
		if (fd >= 0 && (fstat(fd, &now) != 0 || !stat_is_same(&now, status))) {
			close(fd);
			fd = -1;
			errno = NO_FILE;
		}
	}
	int error = errno;
	close(named);
	errno = error;
	return fd;
}

static int
open_named(int named, const char *path, enum path_from from, struct stat *status)
{
	int error = named < 0 ? errno : refusal(named, from, status);

	if (error == 0)
		return reopen(named, path, status);
	if (named >= 0)
		close(named);
	errno = error;
	return -1;
}

int
file_open(const char *path, enum path_from from, struct stat *status)
{
	return open_named(name_file(path, status), path, from, status);
}

int
file_open_below(const char *root, const char *path, struct stat *status)
{
	struct {
		uint64_t flags;
		uint64_t mode;
		uint64_t resolve;
	} how = {O_PATH | O_CLOEXEC, 0, IN_ROOT};

	if (!root[0])
		return file_open(path, PATH_FOUND, status);
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	int fd = (int)syscall(CALL_OPENAT2, dir, path, &how, sizeof(how));
	if (fd < 0 && errno == ENOSYS)
		fd = openat(dir, path + strspn(path, "/"), (int)how.flags);
	int error = errno;
	close(dir);
	errno = error;
	if (fd >= 0 && fstat(fd, status) != 0) {
		close(fd);
		return -1;
	}
	return open_named(fd, path, PATH_FOUND, status);
}

const char *
file_why(int error)
{
	switch (error) {
	case NO_FILE:
		return "not opened: it is a device, a pipe or the like, and no file";
	case FOREIGN_LINK:
		return "not opened: it is another user's link, in a folder where all can write";
	default:
		return strerror(error);
	}
}

void
file_pass_hole(int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (at >= 0 && lseek(fd, at, SEEK_DATA) < 0 && errno == ENXIO)
		lseek(fd, 0, SEEK_END);
}

bool
file_is_on_disk(int fd, off_t from, off_t bytes)
{
	off_t end = from + bytes, data = 0;

	for (int i = 0; i < EXTENTS_MAX && from < end; i++) {
		off_t first = lseek(fd, from, SEEK_DATA);
		// If the file system cannot tell where holes are, all bytes count as on the disk.
		if (first < 0 && errno != ENXIO)
			return true;
		if (first < 0 || first >= end)
			break;
		from = lseek(fd, first, SEEK_HOLE);
		data += (from < end ? from : end) - first;
		if (data >= bytes / 2)
			return true;
	}
	return data >= bytes / 2;
}

const char *
file_user(uid_t user)
{
	static char text[96];
	const struct passwd *known = getpwuid(user);

	snprintf(text, sizeof(text), "%.60s (%u)", known ? known->pw_name : "user", (unsigned)user);
	return text;
}
