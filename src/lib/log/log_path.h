// SPDX-License-Identifier: BSD-2-Clause
// log_path: where the log may be: two names in two folders, in the order in which they are tried.
//
// Who may call: the one thread that writes a snapshot, and log.c at the start and in a fork's
// child. Never allocates, waits for nobody but a file system, keeps errno.

#ifndef PMEM_LOG_PATH_H
#define PMEM_LOG_PATH_H

#include <stdbool.h>

struct folder;
struct text;

enum {
	LOG_PATHS = 4,
	LOG_PATH_NAME_SIZE = 64,
};

// Remembers the folder that is current, and the fallback folder. Once.
void log_path_start(void);

// In a fork's child: no folder is open, and the names have its pid.
void log_path_fork(void);

// Asks anew who we are, for the names that have the user.
void log_path_know_user(void);

struct folder *log_path_folder(unsigned path);

bool log_path_is_fallback(unsigned path);

// Opens the path's folder. 0, or -errno.
long log_path_open(unsigned path);

// The process that the names have.
unsigned long log_path_pid(void);

// The log's name there, with a number behind it; 0 is the log itself.
void log_path_write(struct text *text, unsigned path, unsigned number);
void log_path_name(char name[LOG_PATH_NAME_SIZE], unsigned path, unsigned number);

#endif
