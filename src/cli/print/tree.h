// SPDX-License-Identifier: BSD-2-Clause
// tree: builds the call tree of a profile's rows. Its root stands for all stacks. The level below
// the root has the outermost frames or, if inverted, the allocating functions. Inlined functions
// are levels of their own. Of library functions that call each other, only the outermost is there, and of
// code made at run time what has a name. Names of C++ are short. With --show-all all are there, in full.
// Frames with the same function, module, file and line are one node.
//
// A node is printed as a line with its share, its value and its calls. If a node has only one
// child, with the same value, both are on one line, with " > " between them, or " < " if inverted.
// "- " begins a branch. Small branches are summed up in one line. So the lines of each level add
// up.

#ifndef PMEM_CLI_TREE_H
#define PMEM_CLI_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/profile.h"
#include "rows/resolved_frame.h"
#include "rows/row.h"

struct node {
	struct resolved_frame resolved;
	int64_t value;         // sum over all rows whose stacks lead to this node
	uint64_t blocks;       // live blocks of the same rows
	uint64_t calls;        // allocs of the same rows
	uint64_t rows;
	struct node *children; // the largest value first; equal values in the order of their names
	struct node *next;     // the next sibling
	struct node *parent;   // NULL for the root
};

// Builds the tree. The root has no frame, and its name is "". A node's value can be more than its
// children's sum: some rows' stacks end at the node. Such a stack was cut, or is the beginning of
// another. If no value is negative, the children's sum is never more than the node's value.
struct node *tree_build(const struct profile *profile, enum value value, bool inverted);

void tree_free(struct node *root);

struct tree_style {
	enum value value;
	bool inverted;    // the argument `inverted` of tree_build()
	double threshold; // a share in percent of the whole; branches below it are summed up
	uint64_t min;     // branches with a smaller value are summed up
	bool no_calls;    // true if blocks and calls are not known
	bool is_sampled;  // true if all values are estimates
	bool has_mapped;  // true if the rows include mapped memory
	// The words for rows that count in the whole, but are not in the tree. NULL if there are none.
	const char *others;
	struct row others_sum;
	// The words for rows with negative values, which have no share. They do not count in the whole,
	// and are not in the tree. NULL if there are none.
	const char *negative;
	struct row negative_sum;
};

// Prints the tree. The tree's values must not be negative.
void tree_print(FILE *to, const struct tree_style *style, const struct node *root);

#endif
