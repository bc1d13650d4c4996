// SPDX-License-Identifier: BSD-2-Clause
// jit_map_file: a file of another's making that is read while others may change it, or close what
// they like.
//
// Who may call: one thread at a time, for each. Never allocates, waits for nobody but a file
// system, keeps errno. Only a regular file of our own user is opened, by its own name and not
// through a link. A descriptor is looked at behind each use, as in file.h.

#ifndef PMEM_JIT_MAP_FILE_H
#define PMEM_JIT_MAP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct stat;

struct jit_map {
	int fd; // -1: not open
	dev_t device;
	ino_t inode;
};

// False: there is none that may be read.
bool jit_map_open(struct jit_map *file, const char *path, struct stat *status);

// How many bytes; 0: none, or it may be another's file by now.
size_t jit_map_read(const struct jit_map *file, uint64_t at, char *bytes, size_t size);

void jit_map_close(struct jit_map *file);

#endif
