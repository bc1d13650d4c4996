// SPDX-License-Identifier: BSD-2-Clause
// system: small functions for the clock and for file names. The functions allocate nothing.

#ifndef PMEM_CLI_SYSTEM_H
#define PMEM_CLI_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

// File names of the library and of its sampling build, and of how many bytes the latter records one
// (compile.sh).
#define PATH_LIBRARY "libpmem.so"
#define PATH_SAMPLED "libpmem-sampled.so"
#define PATH_SAMPLED_BYTES 524288

// Returns the milliseconds of CLOCK_REALTIME (Unix time), CLOCK_MONOTONIC or CLOCK_BOOTTIME.
static inline int64_t
clock_ms(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Returns the path's last component. If the path ends in a slash or has no slash, returns the whole
// path.
static inline const char *
path_last(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

// Returns true if the path is that of a library of ours.
static inline bool
path_is_library(const char *path)
{
	return strcmp(path_last(path), PATH_LIBRARY) == 0 || strcmp(path_last(path), PATH_SAMPLED) == 0;
}

// Returns the length of a path from /proc without " (deleted)", which the kernel adds if the file
// was removed.
static inline size_t
path_undeleted(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(path);
	size_t more = sizeof(deleted) - 1;

	if (length > more && strcmp(path + length - more, deleted) == 0)
		return length - more;
	return length;
}

// Returns true if both paths have the same last component. " (deleted)" at the end of either is
// ignored.
static inline bool
path_has_name_of(const char *a, const char *b)
{
	size_t length = path_undeleted(a) - (size_t)(path_last(a) - a);
	return length == path_undeleted(b) - (size_t)(path_last(b) - b)
		&& strncmp(path_last(a), path_last(b), length) == 0;
}

static inline bool
stat_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static inline bool
path_is_folder(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Returns true if both paths exist and lead to one file.
static inline bool
path_is_same_file(const char *a, const char *b)
{
	struct stat one, other;
	return stat(a, &one) == 0 && stat(b, &other) == 0 && stat_is_same(&one, &other);
}

#endif
