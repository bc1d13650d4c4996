// SPDX-License-Identifier: BSD-2-Clause
// tree: builds the call tree of a profile's rows. Its root stands for all stacks. The level below
// the root has the outermost frames or, if inverted, the allocating functions. Inlined functions
// are levels of their own. Of library functions that call each other, only the outermost is there.
// Of code made at run time, only what has a name is there. Names of C++ are short. With --show-all
// all are there, in full. Frames with the same function, module, file and line are one node.
//
// A node is printed as a line with its share, its value and its calls. If a node has only one
// child, with the same value, both are on one line. " > " is between them, or " < " if inverted.
// "- " begins a branch. Small branches are summed up in one line. So the lines of each level add up.

#ifndef PMEM_CLI_TREE_H
#define PMEM_CLI_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/profile.h"
#include "rows/resolved_frame.h"
#include "rows/row.h"
#include "print/rows_table.h"

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

// Prints the tree of a profile's rows. Only the value, --min and --match of `of` count. A share is
// a percentage of the sum of all positive values. Branches below `threshold` percent of that are
// summed up. Rows that are not asked for have a line, and count in the whole. With --by growth, the
// sources that shrank are in a line below the tree, which has no share.
void tree_print(FILE *to, const struct rows_table *of, const struct profile *profile, bool inverted,
	double threshold);

#endif
