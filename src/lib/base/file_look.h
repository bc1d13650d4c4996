// SPDX-License-Identifier: BSD-2-Clause
// file_look: tells which file a descriptor refers to, and which file a name refers to. For file.c,
// which writes logs, and file_peek.c, which reads other files. Never allocates, never waits for
// other threads or processes.

#ifndef PMEM_FILE_LOOK_H
#define PMEM_FILE_LOOK_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/sys.h"

enum {
	// These two flags mark our descriptors. No program chooses both for a file of its own, and
	// fcntl(F_GETFL) shows them.
	MARKS = O_APPEND | O_NONBLOCK,
	MARKS_WRITE = O_WRONLY | MARKS,
	MARKS_READ = O_RDONLY | MARKS,
};

static inline bool
look(int fd, struct stat *status)
{
	return sys_call2(SYS_fstat, fd, (long)status) == 0;
}

static inline bool
look_at_name(int dir, const char *name, struct stat *named)
{
	return sys_call4(SYS_newfstatat, dir, (long)name, (long)named, AT_SYMLINK_NOFOLLOW) == 0;
}

static inline bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static inline long
flags_of(int fd)
{
	return sys_call3(SYS_fcntl, fd, F_GETFL, 0);
}

static inline bool
is_marked(int fd, int marks)
{
	long flags = flags_of(fd);
	return flags >= 0 && (flags & (O_ACCMODE | MARKS)) == marks;
}

// Returns true if the program's sandbox allows the system calls by which files are checked, written
// and closed.
bool file_may_be_used(void);

#endif
