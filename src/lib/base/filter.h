// SPDX-License-Identifier: BSD-2-Clause
// filter: finds whether a filter of system calls (seccomp) allows a call, by running the filter
// as the kernel does.
//
// Who may call: any thread, at any moment. Never allocates, waits for nobody.

#ifndef PMEM_FILTER_H
#define PMEM_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

// Returns true if the filter allows the call. `length` counts instructions; with 0 no call is
// allowed.
bool filter_lets(
	const struct sock_filter *code, size_t length, long number, const long arguments[6]);

#endif
