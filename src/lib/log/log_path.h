// SPDX-License-Identifier: BSD-2-Clause
// log_path: the paths that the log may have, in the order in which they are tried. There are two
// names in each of two folders.
//
// Who may call: the one thread that writes a snapshot, and log.c at the start and in a fork's
// child. Never allocates, keeps errno. It waits for nothing but a file system.

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

// Takes, in a fork's child, its pid for the names, and leaves the parent's folders.
void log_path_fork(void);

// Asks the kernel anew for the process's user, for the names that contain the user.
void log_path_know_user(void);

struct folder *log_path_folder(unsigned path);

bool log_path_is_fallback(unsigned path);

// Opens the path's folder. Returns 0, or -errno.
long log_path_open(unsigned path);

// Returns the pid in the names.
unsigned long log_path_pid(void);

// Writes the log's name in that path, followed by a number. The number 0 stands for the log itself.
void log_path_write(struct text *text, unsigned path, unsigned number);
void log_path_name(char name[LOG_PATH_NAME_SIZE], unsigned path, unsigned number);

#endif
