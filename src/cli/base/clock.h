// clock: what time it is. Allocates nothing.

#ifndef PMEM_CLI_CLOCK_H
#define PMEM_CLI_CLOCK_H

#include <stdint.h>
#include <time.h>

// Milliseconds of CLOCK_REALTIME (Unix time), CLOCK_MONOTONIC or CLOCK_BOOTTIME.
int64_t clock_ms(clockid_t clock);

#endif
