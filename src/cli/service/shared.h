// SPDX-License-Identifier: BSD-2-Clause
// shared: sources that leak in one process or more, each with its sum over all of them. They make
// a table in the answer for many processes (service.h). rows/grouping.h says which sources are
// one.

#ifndef PMEM_CLI_SHARED_H
#define PMEM_CLI_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/run.h"

// To be called before all others.
void shared_open(bool by_name, bool with_lines);

// Adds a source that leaks in that process, in bytes an hour and in all. The names of its frames
// must have been looked up (symbols.h). Its log may be closed afterwards. Twins are one source
// here.
void shared_add(const struct source *source, size_t process, double rate, double growth);

// Removes all that was added for that process.
void shared_leave_out(size_t process);

// Returns true if a source leaks in several processes.
bool shared_is_any(void);

// Prints the `most` fastest sources, of `count` processes. Returns the number of all sources.
size_t shared_print(uint64_t most, size_t count);

void shared_close(void);

#endif
