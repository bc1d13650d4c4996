// tree: the call tree of a profile's rows: from the outermost frame inwards, or, inverted,
// from the function that allocates outwards. Inlined functions are levels of their own.
// Steps are one node when they have function, module, file and line in common.

#ifndef PMEM_CLI_TREE_H
#define PMEM_CLI_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rows/profile.h"
#include "rows/step.h"

struct node {
	struct step step;
	int64_t value;         // sum over the rows below and those that end here
	uint64_t blocks;       // live ones, likewise
	uint64_t calls;        // allocs, likewise
	uint64_t rows;
	struct node *children; // largest value first; equal ones by name
	struct node *next;     // sibling
	struct node *parent;   // NULL: the root
};

// The root's step is empty, its name "". What a node has more than its children together ends
// there: a stack that was cut, or that is the beginning of another. As long as no value is
// negative, the sum of children is never more than the node's.
struct node *tree_build(const struct profile *profile, enum value value, bool inverted);

void tree_free(struct node *root);

#endif
