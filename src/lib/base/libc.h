// SPDX-License-Identifier: BSD-2-Clause
// libc: finds the functions of the C library that we call.
//
// Who may call: libc_is_bound() anybody, at any moment; libc_start() before any other
// part of ours is used, and again without harm; what it finds, from then on, any thread. Never
// allocates; waits for nobody but the loader.
//
// A program may define any of these names, and what we refer to by name is then the program's:
// its dl_iterate_phdr() may hold a lock of its own while it allocates, its dlsym() count on who
// calls. So we refer to nothing by name but to take an address, from which the C library is
// found where it lies in memory; the rest is read from its symbol table.

#ifndef PMEM_LIBC_H
#define PMEM_LIBC_H

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

// Functions that are called before our relocations are done must be found without relocations.
// On some machines the linker otherwise leaves references to other files to a table of
// addresses.
#pragma GCC visibility push(hidden)

struct dl_find_object;

// Written once, by libc_start().
struct libc {
	int (*dl_iterate_phdr)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
	unsigned long (*getauxval)(unsigned long);
	int *(*errno_location)(void);
	int (*cxa_atexit)(void (*)(void *), void *, void *);
	int (*register_atfork)(void (*)(void), void (*)(void), void (*)(void), void *);
	int (*sigaction)(int, const struct sigaction *, struct sigaction *);
	int (*backtrace)(void **, int);
	char *(*realpath)(const char *, char *);
	char *(*strdup)(const char *);
	char *(*strndup)(const char *, size_t);
	int (*find_object)(void *, struct dl_find_object *); // NULL before glibc 2.35
	uintptr_t loader; // an address in the loader; 0 if not found
	bool is_another;  // than glibc: of the functions above it may have a few
};

extern struct libc libc;

// Returns true if our relocations are done. Earlier, in an IFUNC's resolver while the program's
// libraries are being bound, neither other libraries' functions nor thread-local variables can
// be reached.
bool libc_is_bound(void);

// Returns false if the C library was not found.
bool libc_start(void);

// Returns the address of the C library's errno.
int *libc_errno(void);

#undef errno
#define errno (*libc_errno())

#pragma GCC visibility pop

#endif
