// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#include "base/sys.h"
#include "base/file.h"
#include "base/file_look.h"

// Descriptor of the file that is being read; -1 if none. A fork's child begins with -1.
static SYS_FORK_PAGE int peeked = -1;
static SYS_FORK_PAGE dev_t peeked_device; // device of the file that file_peek_own() read last

static void
drop_peeked(void)
{
	struct stat named;
	struct stat status;
	// Closes `peeked` only if its file lies in /proc, or on the device of the file that
	// file_peek_own() read last. All files in /proc have the device of /proc/self/stat.
	if (peeked >= 0 && look_at_name(AT_FDCWD, "/proc/self/stat", &named)
		&& is_marked(peeked, MARKS_READ) && look(peeked, &status)
		&& (status.st_dev == named.st_dev || status.st_dev == peeked_device))
		sys_call2(SYS_close, peeked, 0);
	peeked = -1;
}

void
file_fork_peek(bool closes)
{
	if (closes)
		drop_peeked();
	peeked = -1;
}

// Reads `size` bytes from offset `at` on, and sets the file's status. Returns -EBADF if the bytes
// may be another file's.
static long
peek(const char *path, void *bytes, size_t size, uint64_t at, struct stat *status)
{
	struct stat named;

	drop_peeked();
	long fd = sys_call4(SYS_openat, AT_FDCWD, (long)path,
		MARKS_READ | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	peeked = (int)fd;
	// By now another thread may have put its own file at this descriptor. So the file is read by
	// pread(), which does not move that file's position, and fails on a socket.
	long length = sys_call4(SYS_pread64, fd, (long)bytes, (long)size, (long)at);

	bool has_name = look_at_name(AT_FDCWD, path, &named);
	bool marked = is_marked((int)fd, MARKS_READ);
	bool seen = marked && look((int)fd, status);
	bool same = has_name && seen && same_file(status, &named);
	// If no status can be read, the flags (MARKS_READ) alone decide. Otherwise the file would stay
	// open.
	if (marked && (same || !has_name || !seen))
		sys_call2(SYS_close, fd, 0);
	peeked = -1;
	return same && S_ISREG(status->st_mode) ? length : -EBADF;
}

long
file_peek_at(const char *path, uint64_t at, char *bytes, size_t size)
{
	struct stat status;
	long length = peek(path, bytes, size, at, &status);
	return length < 0 || status.st_size == 0 ? length : -EBADF;
}

long
file_peek(const char *path, char *bytes, size_t size)
{
	return file_peek_at(path, 0, bytes, size);
}

long
file_peek_own(const char *path, uint64_t at, char *bytes, size_t size, struct stat *status)
{
	// The type is checked before the file is opened: opening a FIFO or a device may have an effect.
	uid_t user = file_user();
	if (!file_may_be_used() || !look_at_name(AT_FDCWD, path, status) || !S_ISREG(status->st_mode)
		|| status->st_uid != user)
		return -EPERM;
	peeked_device = status->st_dev;
	long length = peek(path, bytes, size, at, status);
	return length < 0 || status->st_uid == user ? length : -EBADF;
}
