// SPDX-License-Identifier: BSD-2-Clause

#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "base/table.h"
#include "base/text.h"
#include "base/folder.h"

enum {
	// We recognize our descriptors by these flags, which F_GETFL shows. MARKS_LIST is for listing a
	// folder, which O_PATH does not allow.
	MARKS = O_PATH | O_DIRECTORY | O_NOFOLLOW,
	MARKS_LIST = O_NONBLOCK | O_DIRECTORY | O_NOFOLLOW,
	// A folder is listed by at most LIST_CALLS_MAX calls of LIST_BYTES each. That is enough for
	// some 20,000 to 30,000 names of logs.
	LIST_BYTES = 8192,
	LIST_CALLS_MAX = 128,
};

// Room for the beginning of a path, in holds_on_way().
static TABLE_STATIC char beginning[PATH_MAX];

static bool
look(int fd, struct stat *status)
{
	return sys_call2(SYS_fstat, fd, (long)status) == 0;
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool
is_marked(int fd)
{
	long flags = sys_call3(SYS_fcntl, fd, F_GETFL, 0);
	return flags >= 0 && ((flags & MARKS) == MARKS || (flags & MARKS_LIST) == MARKS_LIST);
}

// Closes a descriptor if it has the flags that mark ours and refers to the directory with the
// status `is`. If the descriptor's status cannot be read, the flags alone decide. Otherwise the
// descriptor would stay open.
static void
close_if_ours(int fd, const struct stat *is)
{
	struct stat now;
	if (fd >= 0 && is_marked(fd) && (!look(fd, &now) || is_same(&now, is)))
		sys_call2(SYS_close, fd, 0);
}

// Returns true if `holds` is true of each part of the path, from "/" to its end. Returns false if
// the status of a part cannot be read.
static bool
holds_on_way(const struct folder *folder,
	bool (*holds)(const struct stat *on_way, const struct stat *is), const struct stat *is)
{
	struct stat on_way;
	const char *path = folder->path;

	for (size_t i = 0;; i++) {
		if (path[i] != '/' && path[i])
			continue;
		// The whole path is the folder's own string, and is not copied.
		const char *part = i == 0 ? "/" : path;
		if (i > 0 && path[i]) {
			memcpy(beginning, path, i);
			beginning[i] = '\0';
			part = beginning;
		}
		if (sys_call4(SYS_newfstatat, AT_FDCWD, (long)part, (long)&on_way,
			    AT_SYMLINK_NOFOLLOW) < 0
			|| !holds(&on_way, is))
			return false;
		if (!path[i])
			return true;
	}
}

static bool
is_another(const struct stat *on_way, const struct stat *is)
{
	return !is_same(on_way, is);
}

static bool
is_directory(const struct stat *on_way, const struct stat *is)
{
	(void)is;
	return S_ISDIR(on_way->st_mode);
}

// Closes a descriptor that a thread left open when it ended during its work. The descriptor must
// have the flags that mark ours. It must refer to the folder or to a directory on the folder's
// path. If its status cannot be read, the flags alone decide.
static void
close_left(const struct folder *folder, int fd)
{
	struct stat now;
	if (fd >= 0 && is_marked(fd)
		&& (!look(fd, &now) || is_same(&now, &folder->is)
			|| !holds_on_way(folder, is_another, &now)))
		sys_call2(SYS_close, fd, 0);
}

// Copies the part of the path that begins at `at` into folder->part. Returns where the next part
// begins, or NULL if the part is longer than any name.
static const char *
take_part(struct folder *folder, const char *at)
{
	size_t length = 0;

	for (; *at && *at != '/'; at++) {
		if (length == NAME_MAX)
			return NULL;
		folder->part[length++] = *at;
	}
	folder->part[length] = '\0';
	while (*at == '/')
		at++;
	return at;
}

// Opens the directory at the path's end, and sets `is` to its status. Returns 0 or -errno.
static long
walk(struct folder *folder, struct stat *is)
{
	const char *at = take_part(folder, folder->path);
	long fd = sys_call4(SYS_openat, AT_FDCWD, (long)"/", MARKS | O_CLOEXEC, 0);

	while (fd >= 0) {
		folder->fd = (int)fd;
		close_if_ours(folder->low, is);
		folder->low = -1;
		if (!look(folder->fd, is))
			return -EBADF;
		if (at && !*at)
			return 0;
		folder->low = folder->fd;
		folder->fd = -1;
		at = at ? take_part(folder, at) : NULL;
		fd = at ? sys_call4(SYS_openat, folder->low, (long)folder->part, MARKS | O_CLOEXEC, 0)
			: -ENAMETOOLONG;
	}
	return fd;
}

long
folder_open(struct folder *folder)
{
	struct stat is;

	folder_drop(folder);
	if (!folder->path[0] || !folder->is_known)
		return -ENOENT;
	long error = walk(folder, &is);
	if (error == 0 && is_same(&is, &folder->is))
		return 0;
	folder_drop(folder);
	return error < 0 ? error : -ESTALE;
}

bool
folder_look(const char *path, struct stat *is)
{
	return path[0] && sys_call4(SYS_newfstatat, AT_FDCWD, (long)path, (long)is, 0) == 0
		&& S_ISDIR(is->st_mode);
}

bool
folder_know(struct folder *folder)
{
	folder->is_known = folder_look(folder->path, &folder->is);
	return folder->is_known;
}

static bool
is_open(const struct folder *folder)
{
	struct stat now;
	return folder->fd >= 0 && is_marked(folder->fd) && look(folder->fd, &now)
		&& is_same(&now, &folder->is);
}

int
folder_fd(struct folder *folder)
{
	return is_open(folder) || (folder_open(folder) == 0 && is_open(folder)) ? folder->fd : -1;
}

void
folder_close(struct folder *folder)
{
	close_if_ours(folder->fd, &folder->is);
	folder->fd = -1;
}

void
folder_drop(struct folder *folder)
{
	close_left(folder, folder->fd);
	close_left(folder, folder->low);
	folder_leave(folder);
}

// Writes to a field only if its descriptor is open. In a fork's child mostly no descriptor is open,
// and a needless write would copy the page.
void
folder_leave(struct folder *folder)
{
	if (folder->fd >= 0)
		folder->fd = -1;
	if (folder->low >= 0)
		folder->low = -1;
}

// A directory's entry as getdents64(2) returns it. Old C libraries do not declare this struct.
struct entry {
	uint64_t number;
	int64_t next;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

static bool
is_named(const char *name, const char *begin, const char *part)
{
	size_t length = strlen(begin);
	size_t part_length = strlen(part);

	if (strnlen(name, length) < length || memcmp(name, begin, length) != 0)
		return false;
	for (const char *at = name + length; strnlen(at, part_length) == part_length; at++) {
		if (memcmp(at, part, part_length) == 0)
			return true;
	}
	return false;
}

// Counts names that the descriptor has just listed. The descriptor is not verified for each name.
// If another thread replaces the descriptor, the only harm is that sizes are read in the wrong
// folder.
static void
count_listed(int fd, const char *list, long bytes, const char *begin, const char *part,
	struct folder_count *count, uint64_t step)
{
	const struct entry *entry;

	for (long at = 0; at < bytes; at += entry->bytes) {
		struct stat status;
		entry = (const struct entry *)(list + at);
		if (!is_named(entry->name, begin, part))
			continue;
		count->files++;
		if (sys_call4(SYS_newfstatat, fd, (long)entry->name, (long)&status, AT_SYMLINK_NOFOLLOW) == 0)
			count->bytes += ((uint64_t)status.st_size / step + 2) * step;
	}
}

struct folder_count
folder_count(struct folder *folder, const char *begin, const char *part, uint64_t step)
{
	static TABLE_STATIC char list[LIST_BYTES];
	struct folder_count count = {0};
	struct stat now;
	long bytes = 1;

	// The sandbox is asked first: if it forbids getdents64(), nothing need be opened.
	if (!sys_may(SYS_getdents64, folder->fd, (long)list, sizeof(list), 0, 0, 0))
		return count;
	long fd = sys_call4(SYS_openat, folder_fd(folder), (long)".", MARKS_LIST | O_CLOEXEC, 0);
	if (fd < 0)
		return count;
	folder->low = (int)fd;
	for (int i = 0; i < LIST_CALLS_MAX && bytes > 0; i++) {
		bytes = is_marked((int)fd) && look((int)fd, &now) && is_same(&now, &folder->is)
			? sys_call3(SYS_getdents64, fd, (long)list, sizeof(list)) : 0;
		count_listed((int)fd, list, bytes, begin, part, &count, step);
	}
	close_if_ours(folder->low, &folder->is);
	folder->low = -1;
	return count;
}

// Sets the folder's path to the path without links, which the kernel shows for a descriptor in
// /proc/self/fd.
static void
resolve(struct folder *folder, char room[PATH_MAX])
{
	static const char prefix[] = "/proc/self/fd/";
	struct text text = {.bytes = folder->part, .size = sizeof(folder->part) - 1};
	struct stat is;
	long fd = sys_call4(SYS_openat, AT_FDCWD, (long)folder->path,
		O_PATH | O_DIRECTORY | O_CLOEXEC, 0);

	if (fd < 0)
		return;
	text_string(&text, prefix);
	text_number(&text, (uint64_t)fd);
	folder->part[text.length] = '\0';
	long length = sys_call4(
		SYS_readlinkat, AT_FDCWD, (long)folder->part, (long)room, PATH_MAX - 1);
	if (length > 0) {
		room[length] = '\0';
		folder->path = room;
	}
	if (look((int)fd, &is) && is_same(&is, &folder->is))
		sys_call2(SYS_close, fd, 0);
}

bool
folder_know_by_any_path(struct folder *folder, char room[PATH_MAX])
{
	if (!folder_know(folder))
		return false;
	if (!holds_on_way(folder, is_directory, NULL))
		resolve(folder, room);
	return true;
}
