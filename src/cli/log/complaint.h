// complaint: what is wrong with a log, `FILE:LINE: what`, at most ten times a log.

#ifndef PMEM_CLI_COMPLAINT_H
#define PMEM_CLI_COMPLAINT_H

#include "log/input.h"

struct complaints {
	const struct input *input; // the line read last is meant
	unsigned count;
};

void complain(struct complaints *complaints, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
