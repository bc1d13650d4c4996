// path: names of files. Allocates nothing.

#ifndef PMEM_CLI_PATH_H
#define PMEM_CLI_PATH_H

#include <stdbool.h>

// The library's file.
#define PATH_LIBRARY "libpmem.so"

// The path's last component; all of it where there is none.
const char *path_last(const char *path);

// Whether both are there, and one file.
bool path_is_same_file(const char *a, const char *b);

#endif
