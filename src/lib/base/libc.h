// SPDX-License-Identifier: BSD-2-Clause
// libc: finds the functions of the C library that we call.
//
// Who may call: anybody may call libc_is_bound(), at any moment. libc_start() runs before any other
// part of ours is used; calling it again is harmless. After libc_start(), any thread may call the
// functions that it found. Never allocates; waits only for the loader.
//
// A program may define any of these names. A call of ours by name would then reach the program's
// function, and may do harm. For example, a program's dl_iterate_phdr() may hold a lock of its own
// while it allocates. A program's dlsym() may depend on its caller. So we use names only to get an
// address in the C library. We find the C library around that address in memory. The functions are
// then read from its symbol table.

#ifndef PMEM_LIBC_H
#define PMEM_LIBC_H

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

// Hidden, since some functions are called before our relocations are done. On some machines,
// references to another of our files would otherwise go through a table of addresses, which needs
// relocations.
#pragma GCC visibility push(hidden)

struct dl_find_object;

// Written by libc_start(). Only musl_list may change later, to NULL (musl_list.h).
struct libc {
	int (*dl_iterate_phdr)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
	unsigned long (*getauxval)(unsigned long);
	int *(*errno_location)(void);
	int (*cxa_atexit)(void (*)(void *), void *, void *);
	int (*register_atfork)(void (*)(void), void (*)(void), void (*)(void), void *); // glibc's
	int (*pthread_atfork)(void (*)(void), void (*)(void), void (*)(void)); // for other libraries
	int (*sigaction)(int, const struct sigaction *, struct sigaction *);
	int (*backtrace)(void **, int);
	char *(*realpath)(const char *, char *);
	char *(*strdup)(const char *);
	char *(*strndup)(const char *, size_t);
	int (*find_object)(void *, struct dl_find_object *); // NULL before glibc 2.35
	uintptr_t loader; // an address in the loader; 0 if not found
	bool is_another;  // the C library is not glibc: a few of the functions above may be NULL
	// musl's list of loaded objects; NULL if the C library is glibc, or is not known
	const struct r_debug *musl_list;
};

extern struct libc libc;

// Returns true if our relocations are done. Before they are done, neither functions of other
// libraries nor thread-local variables can be used. In an IFUNC's resolver the relocations may not
// be done yet. The loader calls resolvers while it binds the program's libraries.
bool libc_is_bound(void);

// Fills in `libc` and `sys`. Returns false if the C library was not found.
bool libc_start(void);

// Returns the function that the C library defines under this name (default version), or NULL. To be
// called after libc_start().
void *libc_find(const char *name, uint32_t hash);

// Sets `code` to musl's own code, and returns its symbols. Returns NULL if the C library is not musl. To be
// called after libc_start().
struct segment;
struct dynsym;
const struct dynsym *libc_musl_code(struct segment *code);

// Returns the program's path as it was given to the kernel. If the user ran the loader with the
// program as its argument, returns the path given to the loader. Returns NULL if it is not known.
const char *libc_program_given(void);

// Returns the address of the C library's errno.
int *libc_errno(void);

#undef errno
#define errno (*libc_errno())

#pragma GCC visibility pop

#endif
