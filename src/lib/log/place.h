// SPDX-License-Identifier: BSD-2-Clause
// place: where the log may be: two names in two folders, in the order in which they are tried.
//
// Who may call: the one thread that writes a snapshot, and log.c at the start and in a fork's
// child. Never allocates, waits for nobody but a file system, keeps errno.

#ifndef PMEM_PLACE_H
#define PMEM_PLACE_H

#include <stdbool.h>

struct folder;
struct text;

enum {
	PLACES = 4,
	PLACE_NAME_SIZE = 64,
};

// Remembers the folder that is current, and the fallback folder. Once.
void place_start(void);

// In a fork's child: no folder is open, and the names have its pid.
void place_fork(void);

// Asks anew who we are, for the names that have the user.
void place_know_user(void);

struct folder *place_folder(unsigned place);

bool place_is_fallback(unsigned place);

// Opens the place's folder. 0, or -errno.
long place_open(unsigned place);

// The process that the names have.
unsigned long place_pid(void);

// The log's name there, with a number behind it; 0 is the log itself.
void place_write_name(struct text *text, unsigned place, unsigned number);
void place_name(char name[PLACE_NAME_SIZE], unsigned place, unsigned number);

#endif
