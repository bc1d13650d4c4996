// SPDX-License-Identifier: BSD-2-Clause
// shared: sums each source that leaks over all processes in which it leaks. The sums are a table in
// the joined answer (service.h). rows/grouping.h decides which sources of several processes are
// one.

#ifndef PMEM_CLI_SHARED_H
#define PMEM_CLI_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "log/run.h"
#include "rows/grouping.h"

// Must be called before all other functions of shared. The arguments are those of struct grouping.
void shared_open(enum grouping_by by, bool with_lines);

// Adds a row that leaks in a process: its rate in bytes an hour, and its growth in bytes. The
// names of the functions on its stack must have been looked up (symbols.h). The log may be closed
// afterwards. Twins, sources with the same id in one process, become one source.
void shared_add(const struct row *row, size_t process, double rate, double growth);

// Removes what was added for the process with this number.
void shared_leave_out(size_t process);

// Returns true if any source leaks in several processes.
bool shared_is_any(void);

// Prints the `most` sources with the highest rates. `count` is the number of all processes. Returns
// the number of all sources.
size_t shared_print(FILE *to, uint64_t most, size_t count);

void shared_close(void);

#endif
