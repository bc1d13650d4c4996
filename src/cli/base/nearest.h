// nearest: the word that was probably meant. Allocates nothing.

#ifndef PMEM_CLI_NEAREST_H
#define PMEM_CLI_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *word; // the nearest so far; NULL: none is near
	unsigned slips;
};

// Takes it for the nearest if it is nearer to what was written than any before, and near at
// all. A slip is a letter too many, too few, wrong, or swapped with the next.
void nearest_try(struct nearest *nearest, const char *written, const char *word);

#endif
