// tool: what the C programs of this folder share: the clock, and numbers of the command line.

#ifndef BENCH_TOOL_H
#define BENCH_TOOL_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline int64_t
clock_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static inline int64_t
now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

// Ends the program when it is none of these.
static inline unsigned long
number(const char *text, unsigned long least, unsigned long most)
{
	unsigned long value = strtoul(text, NULL, 10);
	if (value < least || value > most) {
		fprintf(stderr, "%s: %s is not %lu to %lu\n", program_invocation_short_name, text,
			least, most);
		exit(2);
	}
	return value;
}

#endif
