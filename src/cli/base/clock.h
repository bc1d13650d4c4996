// clock: what time it is. Allocates nothing.

#ifndef PMEM_CLI_CLOCK_H
#define PMEM_CLI_CLOCK_H

#include <stdint.h>
#include <time.h>

// Milliseconds of CLOCK_REALTIME (Unix time), CLOCK_MONOTONIC or CLOCK_BOOTTIME.
static inline int64_t
clock_ms(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
