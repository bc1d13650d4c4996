// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "base/sys.h"
#include "base/libc.h"
#include "base/text.h"
#include "base/folder.h"
#include "base/file.h"
#include "base/file_look.h"

enum {
	// A program may close descriptor 0 and expect its next open() to return 0. So descriptors below
	// FD_FLOOR are left for the program. Ours is one of the next FD_SPREAD numbers. The clock
	// chooses it at each opening: a program that closes a wrong number seldom closes ours.
	FD_FLOOR = 200,
	FD_SPREAD = 600,
};

// What file_keep_within() was last told.
static uint64_t room;

// The process's effective user, as the kernel last gave it.
static SYS_FORK_PAGE uid_t user;

bool
file_is_new(struct folder *folder, const char *name)
{
	struct stat named;
	return !look_at_name(folder_fd(folder), name, &named);
}

enum name {
	NAME_UNKNOWN, // no such file, or its status cannot be read
	NAME_ITS_OWN,
	NAME_ANOTHERS,
};

// Returns whether the folder's file of this name is the file with this status.
static enum name
name_of(const struct stat *status, struct folder *folder, const char *name)
{
	struct stat named;
	int dir = folder_fd(folder);
	if (dir < 0 || !look_at_name(dir, name, &named))
		return NAME_UNKNOWN;
	return same_file(status, &named) ? NAME_ITS_OWN : NAME_ANOTHERS;
}

// Closes a descriptor if it has the flags that mark ours (MARKS_WRITE) and refers to the file with
// the status `is`. `is` is NULL if the file's status could not be read. If either status is
// missing, the flags alone decide. Otherwise the file would stay open when its network file system
// fails.
static void
close_if_ours(int fd, const struct stat *is)
{
	struct stat status;
	if (fd >= 0 && is_marked(fd, MARKS_WRITE)
		&& (!is || !look(fd, &status) || same_file(&status, is)))
		sys_call2(SYS_close, fd, 0);
}

bool
file_is_ours(struct file *file)
{
	struct stat status;
	if (file->fd < 0 || !is_marked(file->fd, MARKS_WRITE) || !look(file->fd, &status)
		|| !same_file(&status, &file->now))
		return false;
	file->now = status;
	return true;
}

void
file_close(struct file *file)
{
	// A child that was forked meanwhile has a copy of the descriptor. Closing ours alone would then
	// not release the lock.
	if (file_is_ours(file))
		sys_call2(SYS_flock, file->fd, LOCK_UN);
	close_if_ours(file->fd, &file->now);
	file->fd = -1;
}

void
file_drop(struct file *file, struct folder *folder, const char *name)
{
	const int left[] = {file->low, file->fd};

	folder_drop(folder);
	if (file->low < 0 && file->fd < 0)
		return;
	for (int i = 0; i < 2; i++) {
		struct stat status;
		if (left[i] >= 0 && look(left[i], &status)
			&& name_of(&status, folder, name) == NAME_ITS_OWN)
			close_if_ours(left[i], &status);
	}
	folder_close(folder);
	file->low = -1;
	file->fd = -1;
}

// Called if we duplicated descriptor `low` to the higher number `fd`, and `fd` is not our file.
// Another thread may have put a file of the program's at `low` before we duplicated it. Then both
// descriptors refer to that file: `fd` is closed, and `low` stays open. If instead the other thread
// put its file at `fd`, the descriptors refer to different files, and neither is closed.
static void
close_duplicate(const struct file *file)
{
	struct stat low;
	struct stat high;
	if (flags_of(file->low) == flags_of(file->fd) && look(file->low, &low)
		&& look(file->fd, &high) && same_file(&low, &high))
		sys_call2(SYS_close, file->fd, 0);
}

void
file_keep_within(uint64_t descriptors)
{
	room = descriptors;
}

// Returns the number from which on a free descriptor is looked for.
static long
high_number(void)
{
	uint64_t chance = (uint64_t)sys_clock(CLOCK_MONOTONIC) / 64;

	return (long)(room == 0 || room >= FD_FLOOR + FD_SPREAD ? FD_FLOOR + chance % FD_SPREAD
		: room / 2 + chance % (room - room / 2));
}

// Moves the descriptor to a high number. Returns true if it refers to the file of this name.
static bool
settle(struct file *file, struct folder *folder, const char *name)
{
	long high = sys_call3(SYS_fcntl, file->low, F_DUPFD_CLOEXEC, high_number());
	if (high < 0)
		high = sys_call3(SYS_fcntl, file->low, F_DUPFD_CLOEXEC, FD_FLOOR);
	if (high < 0 && file->low <= STDERR_FILENO)
		high = sys_call3(SYS_fcntl, file->low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	bool is_raised = high >= 0;
	file->fd = is_raised ? (int)high : file->low;

	bool marked = is_marked(file->fd, MARKS_WRITE);
	bool seen = marked && look(file->fd, &file->now);
	enum name is_named = seen ? name_of(&file->now, folder, name) : NAME_UNKNOWN;
	const struct stat *is = seen ? &file->now : NULL;
	if (marked && is_named != NAME_ANOTHERS) {
		if (is_raised)
			close_if_ours(file->low, is);
		if (is_named != NAME_ITS_OWN)
			close_if_ours(file->fd, is);
	} else if (is_raised) {
		close_duplicate(file);
	}
	file->low = -1;
	if (is_named != NAME_ITS_OWN)
		file->fd = -1;
	return is_named == NAME_ITS_OWN;
}

enum file_result
file_refuse(struct refusal *refusal, long error)
{
	if (refusal_is_of_place(refusal, error))
		return FILE_REFUSED;
	// -EBADF: the program has closed the folder's descriptor meanwhile.
	return error == -EINTR || error == -EBADF ? FILE_BUSY : FILE_FAILED;
}

void
file_start(void)
{
	user = (uid_t)libc.getauxval(AT_EUID);
}

unsigned
file_user(void)
{
	long now = sys_call2(SYS_geteuid, 0, 0);
	if (now >= 0)
		user = (uid_t)now;
	return user;
}

// Returns true if the file belongs to the process's user. If its owner is `user`, the last known
// user, the kernel is not asked again. By now the process may run as another user. Then the kernel
// has opened the file only because its mode lets other users write to it. may_be_written() refuses
// a file with such a mode, unless we opened the file before.
static bool
belongs_to_us(const struct stat *status)
{
	return status->st_uid == user || status->st_uid == file_user();
}

static bool
may_be_written(const struct stat *status, const struct stat *known, struct refusal *refusal)
{
	if (!S_ISREG(status->st_mode))
		*refusal = (struct refusal){.before = "is no regular file", .after = ""};
	else if (status->st_nlink != 1)
		*refusal = (struct refusal){"has ", true, (unsigned long)status->st_nlink, " links", 0};
	else if (!belongs_to_us(status))
		*refusal = (struct refusal){"belongs to uid ", true, status->st_uid, "", 0};
	else if ((status->st_mode & 077) && !same_file(status, known))
		*refusal = (struct refusal){.before = "was there, and others can read or write it", .after = ""};
	else
		return true;
	return false;
}

// Locks the file. Returns false if another process holds the lock, or if the file is no longer
// ours. On a file system without locks, returns true.
static bool
lock(struct file *file)
{
	return file_is_ours(file)
		&& sys_call2(SYS_flock, file->fd, LOCK_EX | LOCK_NB) != -EWOULDBLOCK;
}

bool
file_may_be_used(void)
{
	return sys_may(SYS_fstat, FD_FLOOR, 0, 0, 0, 0, 0)
		&& sys_may(SYS_newfstatat, FD_FLOOR, 0, 0, AT_SYMLINK_NOFOLLOW, 0, 0)
		&& sys_may(SYS_fcntl, FD_FLOOR, F_GETFL, 0, 0, 0, 0)
		&& sys_may(SYS_write, FD_FLOOR, 0, 1, 0, 0, 0)
		&& sys_may(SYS_close, FD_FLOOR, 0, 0, 0, 0, 0);
}

// Opens the file for appending. Creates it and sets `made` if it did not exist. The new file has
// mode 0600. Some file systems ignore the mode, so that other users can read the file.
static long
open_name(struct folder *folder, const char *name, bool *made)
{
	const int flags = MARKS_WRITE | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;

	// The sandbox is asked first: if it forbade the calls after the creation, an empty file would
	// stay.
	*made = false;
	if (!file_may_be_used())
		return -EPERM;
	long fd = sys_call4(SYS_openat, folder_fd(folder), (long)name, flags, 0);
	*made = fd == -ENOENT;
	if (*made)
		fd = sys_call4(SYS_openat, folder_fd(folder), (long)name, flags | O_CREAT | O_EXCL, 0600);
	return fd;
}

// Reads the file's beginning through a second descriptor, opened for reading.
static bool
read_head(const struct file *file, struct folder *folder, const char *name, char *head, size_t size)
{
	struct stat status;
	long fd = sys_call4(SYS_openat, folder_fd(folder), (long)name,
		MARKS_READ | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);
	if (fd < 0)
		return false;
	long length = sys_call4(SYS_pread64, fd, (long)head, (long)size, 0);
	bool is_it = look((int)fd, &status) && same_file(&status, &file->now);
	if (is_marked((int)fd, MARKS_READ))
		sys_call2(SYS_close, fd, 0);
	return is_it && length == (long)size;
}

// Returns true if the file begins like a log of this pid, in any version of the format.
static bool
is_log_of(const struct file *file, struct folder *folder, const char *name, unsigned long pid)
{
	char head[64];
	char pid_words[40];
	struct text text = {.bytes = pid_words, .size = sizeof(pid_words)};
	size_t begin = strlen(FORMAT_HEADER);

	if (!read_head(file, folder, name, head, sizeof(head)) || memcmp(head, FORMAT_HEADER, begin) != 0)
		return false;
	while (begin < sizeof(head) - sizeof(pid_words) && head[begin] >= '0' && head[begin] <= '9')
		begin++;
	text_named(&text, " pid=", pid);
	text_string(&text, " ");
	return memcmp(head + begin, pid_words, text.length) == 0;
}

enum file_result
file_open(struct file *file, struct folder *folder, const char *name,
	const struct stat *known, unsigned long pid, struct refusal *refusal)
{
	bool made;
	long fd = open_name(folder, name, &made);

	// EBADF: another thread closed the folder's descriptor. EEXIST: another process made the file.
	if (fd == -EBADF || fd == -EEXIST)
		return FILE_BUSY;
	if (fd < 0)
		return file_refuse(refusal, fd);
	file->low = (int)fd;
	if (!settle(file, folder, name))
		return FILE_BUSY;
	if (!may_be_written(&file->now, made ? &file->now : known, refusal)) {
		file_close(file);
		return FILE_REFUSED;
	}
	// The umask may have removed a permission that the next opening needs.
	if (file->now.st_size == 0 && (file->now.st_mode & 0600) != 0600 && file_is_ours(file))
		sys_call2(SYS_fchmod, file->fd, 0600);
	// Once the file is locked, its status is read again. The last holder of the lock may have
	// written to the file, or renamed it.
	if (!lock(file) || !file_is_ours(file)
		|| name_of(&file->now, folder, name) != NAME_ITS_OWN) {
		file_close(file);
		return FILE_BUSY;
	}
	if (file->now.st_size == 0 || same_file(&file->now, known)
		|| is_log_of(file, folder, name, pid))
		return FILE_OPEN;
	*refusal = (struct refusal){.before = "is no log of this process", .after = ""};
	file_close(file);
	return FILE_REFUSED;
}
