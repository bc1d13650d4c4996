// SPDX-License-Identifier: BSD-2-Clause

#include <fcntl.h>
#include <sys/stat.h>

#include "base/sys.h"
#include "base/file.h"
#include "names/jit_map_file.h"

enum {
	// Together no program's choice for a file of its own. F_GETFL shows them.
	MARKS = O_RDONLY | O_APPEND | O_NONBLOCK,
	MARKED = O_ACCMODE | O_APPEND | O_NONBLOCK,
};

static bool
is_marked(int fd)
{
	long flags = sys_call3(SYS_fcntl, fd, F_GETFL, 0);
	return flags >= 0 && (flags & MARKED) == MARKS;
}

// Whether the descriptor still is the file; looks at it anew.
static bool
is_ours(const struct jit_map *file, struct stat *status)
{
	return file->fd >= 0 && is_marked(file->fd)
		&& sys_call2(SYS_fstat, file->fd, (long)status) == 0
		&& status->st_dev == file->device && status->st_ino == file->inode;
}

bool
jit_map_open(struct jit_map *file, const char *path, struct stat *status)
{
	if (sys_call4(SYS_newfstatat, AT_FDCWD, (long)path, (long)status, AT_SYMLINK_NOFOLLOW) != 0
		|| !S_ISREG(status->st_mode) || status->st_uid != file_user()
		|| !sys_may(SYS_fstat, 3, 0, 0, 0, 0, 0) || !sys_may(SYS_close, 3, 0, 0, 0, 0, 0)
		|| !sys_may(SYS_fcntl, 3, F_GETFL, 0, 0, 0, 0))
		return false;
	long fd = sys_call4(
		SYS_openat, AT_FDCWD, (long)path, MARKS | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);
	if (fd < 0)
		return false;
	file->fd = (int)fd;
	file->device = status->st_dev;
	file->inode = status->st_ino;
	if (is_ours(file, status))
		return true;
	// Where it cannot be looked at, its marks have to do: it would stay open.
	if (is_marked(file->fd))
		sys_call2(SYS_close, file->fd, 0);
	file->fd = -1;
	return false;
}

size_t
jit_map_read(const struct jit_map *file, uint64_t at, char *bytes, size_t size)
{
	struct stat status;
	long length = sys_call4(SYS_pread64, file->fd, (long)bytes, (long)size, (long)at);
	return length > 0 && is_ours(file, &status) ? (size_t)length : 0;
}

void
jit_map_close(struct jit_map *file)
{
	struct stat status;

	if (is_ours(file, &status))
		sys_call2(SYS_close, file->fd, 0);
	file->fd = -1;
}
