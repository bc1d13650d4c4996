// SPDX-License-Identifier: BSD-2-Clause
// log_path: the paths that the log may have: two names in each of two folders. Each path has a
// number, from 0 to LOG_PATHS - 1. Paths are tried in the order of these numbers.
//
// Who may call: the one thread that writes a snapshot, and log.c at the start and in a fork's
// child. Never allocates, keeps errno. Waits for nothing but a file system.

#ifndef PMEM_LOG_PATH_H
#define PMEM_LOG_PATH_H

#include <stdbool.h>

struct folder;
struct text;

enum {
	LOG_PATHS = 4,
	LOG_PATH_NAME_SIZE = 64,
};

// Remembers the current folder and the fallback folder. Called once.
void log_path_start(void);

// Called in a fork's child. The names contain the child's pid from then on. Forgets the folders
// that the parent had open, without closing them.
void log_path_fork(void);

// Asks the kernel anew for the process's user, whose id is part of some names.
void log_path_know_user(void);

struct folder *log_path_folder(unsigned path);

bool log_path_is_fallback(unsigned path);

// Opens the folder of the path. Returns 0, or -errno.
long log_path_open(unsigned path);

// Returns the pid that the names contain.
unsigned long log_path_pid(void);

// Write the log's file name for this path. A rotated log has its number after the name. The number
// 0 stands for the log itself, whose name has no number. log_path_name() sets a string with a NUL.
void log_path_write(struct text *text, unsigned path, unsigned number);
void log_path_name(char name[LOG_PATH_NAME_SIZE], unsigned path, unsigned number);

#endif
