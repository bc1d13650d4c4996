// shared: sources that leak in one process or in several, each with what it leaks in all of them: a
// table of one answer for many processes (service.h). Sources are one by rows/alike.h.

#ifndef PMEM_CLI_SHARED_H
#define PMEM_CLI_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/run.h"

// Before anything else.
void shared_open(bool by_name, bool with_lines);

// The source's number, the same for all that are one: 0, 1, ... Names of its frames must have been
// looked up (symbols.h); its log may be closed then.
size_t shared_number(const struct source *source);

// It leaks in that process as well, by bytes an hour and in all. Processes come one by one; twins are
// one source here.
void shared_add(size_t number, size_t process, double rate, double growth);

// Whether any leaks in several processes.
bool shared_is_any(void);

// To standard output, the fastest first, as many as that, of `count` processes. How many there are.
size_t shared_print(uint64_t most, size_t count);

void shared_close(void);

#endif
