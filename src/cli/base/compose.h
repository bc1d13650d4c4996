// compose: texts of any length, put together by printing.

#ifndef PMEM_CLI_COMPOSE_H
#define PMEM_CLI_COMPOSE_H

#include <stddef.h>
#include <stdio.h>

struct compose {
	FILE *to; // to print to
	char *text;
	size_t length;
};

// A lack of memory ends the process with EXIT_DATA, here or at the end. The struct stays where
// it is until then.
void compose_begin(struct compose *compose);

// The text, to be freed.
char *compose_end(struct compose *compose);

#endif
