// SPDX-License-Identifier: BSD-2-Clause
// mapfile: a file of another's making that is read while others may change it, or close what they
// like.
//
// Who may call: one thread at a time, for each. Never allocates, waits for nobody but a file
// system, keeps errno. Only a regular file of our own user is opened, by its own name and not
// through a link. A descriptor is looked at behind each use, as in file.h.

#ifndef PMEM_MAPFILE_H
#define PMEM_MAPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct stat;

struct mapfile {
	int fd; // -1: not open
	dev_t device;
	ino_t inode;
};

// False: there is none that may be read.
bool mapfile_open(struct mapfile *file, const char *path, struct stat *status);

// How many bytes; 0: none, or it may be another's file by now.
size_t mapfile_read(const struct mapfile *file, uint64_t at, char *bytes, size_t size);

void mapfile_close(struct mapfile *file);

#endif
