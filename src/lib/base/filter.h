// SPDX-License-Identifier: BSD-2-Clause
// filter: whether a filter of system calls (seccomp) lets one pass, found by running it as the kernel
// does.
//
// Who may call: any thread, at any moment. Never allocates, waits for nobody.

#ifndef PMEM_FILTER_H
#define PMEM_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

// Of so many instructions; of 0: nothing passes.
bool filter_lets(
	const struct sock_filter *code, size_t length, long number, const long arguments[6]);

#endif
