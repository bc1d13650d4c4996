// system: small things of the system's: the clock, names of files. Allocates nothing.

#ifndef PMEM_CLI_SYSTEM_H
#define PMEM_CLI_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

// The library's file.
#define PATH_LIBRARY "libpmem.so"

// Milliseconds of CLOCK_REALTIME (Unix time), CLOCK_MONOTONIC or CLOCK_BOOTTIME.
static inline int64_t
clock_ms(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// The path's last component; all of it where there is none.
static inline const char *
path_last(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static inline bool
stat_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// Whether both are there, and one file.
static inline bool
path_is_same_file(const char *a, const char *b)
{
	struct stat one, other;
	return stat(a, &one) == 0 && stat(b, &other) == 0 && stat_is_same(&one, &other);
}

#endif
