// unpack: what a packed file holds, through the program that unpacks it: .gz by gzip, .zst by zstd.
//
// It runs as a child, without a shell and without LD_PRELOAD, its standard input the file, and is
// there for one file at a time.

#ifndef PMEM_CLI_UNPACK_H
#define PMEM_CLI_UNPACK_H

#include <stdbool.h>
#include <sys/types.h>

// Endings of packed files' names, and NULL behind the last.
extern const char *const unpack_endings[];

bool unpack_is_packed(const char *path);

// Whether the program for such a file is installed; says so if not.
bool unpack_can(const char *path);

// Gives up the descriptor of the file for one from which it is read unpacked; -1 after a warning.
int unpack_start(const char *path, int fd, pid_t *child);

// Waits for its end, or brings that about. False after a warning: the file was damaged.
bool unpack_end(const char *path, pid_t child, bool kill_it);

#endif
