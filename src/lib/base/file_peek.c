// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#include "base/sys.h"
#include "base/file.h"
#include "base/file_look.h"

// Descriptor of the file that is being read; -1 if none. A fork's child begins with -1.
static SYS_FORK_PAGE int peeked = -1;
static SYS_FORK_PAGE dev_t peeked_device; // its device; 0 if unknown

static void
drop_peeked(void)
{
	struct stat status;

	if (peeked >= 0 && is_marked(peeked, MARKS_READ) && look(peeked, &status)
		&& status.st_dev == peeked_device)
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

// Reads `size` bytes from offset `at` on, and sets the file's status. `named` is the status by the
// path, or NULL if it cannot be read. Returns -EBADF if the bytes may be another file's.
static long
peek(const char *path, const struct stat *named, void *bytes, size_t size, uint64_t at,
	struct stat *status)
{
	drop_peeked();
	peeked_device = named ? named->st_dev : 0;
	long fd = sys_call4(SYS_openat, AT_FDCWD, (long)path,
		MARKS_READ | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	peeked = (int)fd;
	// By now another thread may have put its own file at this descriptor. So the file is read by
	// pread(), which does not move that file's position, and fails on a socket.
	long length = sys_call4(SYS_pread64, fd, (long)bytes, (long)size, (long)at);

	bool marked = is_marked((int)fd, MARKS_READ);
	bool seen = marked && look((int)fd, status);
	bool same = named && seen && same_file(status, named);
	// If no status can be read, the flags (MARKS_READ) alone decide. Otherwise the file would stay
	// open.
	if (marked && (same || !named || !seen))
		sys_call2(SYS_close, fd, 0);
	peeked = -1;
	return same && S_ISREG(status->st_mode) ? length : -EBADF;
}

long
file_peek_at(const char *path, uint64_t at, char *bytes, size_t size)
{
	struct stat named, status;
	bool has_name = look_at_name(AT_FDCWD, path, &named);
	long length = peek(path, has_name ? &named : NULL, bytes, size, at, &status);
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
	struct stat named;
	uid_t user = file_user();
	if (!file_may_be_used() || !look_at_name(AT_FDCWD, path, &named) || !S_ISREG(named.st_mode)
		|| named.st_uid != user)
		return -EPERM;
	long length = peek(path, &named, bytes, size, at, status);
	return length < 0 || status->st_uid == user ? length : -EBADF;
}
