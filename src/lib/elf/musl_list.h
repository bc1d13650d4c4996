// SPDX-License-Identifier: BSD-2-Clause
// musl_list: visits musl's list of loaded objects, without musl's lock.
//
// Who may call: any thread, at any moment. Never allocates, never waits.
//
// musl never unloads an object, so an object that stays on the list can be read at any time. The
// one exception is an object that dlopen() adds and then fails to load. dlopen() sets the list's
// state to RT_ADD before it adds objects. The state becomes RT_CONSISTENT when dlopen() has removed
// those that failed. So objects that a thread sees while the state is RT_CONSISTENT stay. A visit
// passes over all others. musl's lock would be harmful. A signal handler may interrupt dlopen(),
// which holds the lock.

#ifndef PMEM_MUSL_LIST_H
#define PMEM_MUSL_LIST_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

// Compares the list with dl_iterate_phdr(). Returns false if the two differ, or musl has made no list
// yet. The list cannot be visited then. After the first true, the result stays true.
bool musl_list_start(void);

// Returns the number of objects on the list that are known to stay.
uint64_t musl_list_count(void);

// Calls `step` for each object, and returns what dl_iterate_phdr() would return. To be called once
// musl_list_start() has returned true.
int musl_list_visit(int (*step)(struct dl_phdr_info *, size_t, void *), void *context);

#pragma GCC visibility pop

#endif
