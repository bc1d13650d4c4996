// SPDX-License-Identifier: BSD-2-Clause
// shared: sources that leak in one process or in several, each with what it leaks in all of them: a
// table of one answer for many processes (service.h). Sources are one by rows/grouping.h.

#ifndef PMEM_CLI_SHARED_H
#define PMEM_CLI_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/run.h"

// Before anything else.
void shared_open(bool by_name, bool with_lines);

// The source leaks in that process as well, by bytes an hour and in all. Names of its frames must have
// been looked up (symbols.h); its log may be closed then. Twins are one source here.
void shared_add(const struct source *source, size_t process, double rate, double growth);

// As if that process had not been there.
void shared_leave_out(size_t process);

// Whether any leaks in several processes.
bool shared_is_any(void);

// To standard output, the fastest first, as many as that, of `count` processes. How many there are.
size_t shared_print(uint64_t most, size_t count);

void shared_close(void);

#endif
