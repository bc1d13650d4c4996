// SPDX-License-Identifier: BSD-2-Clause
// tree: builds the call tree of a profile's rows: from the outermost frame inwards, or, inverted,
// from the allocating function outwards. Inlined functions are levels of their own. Frames are one
// node if they share function, module, file and line.
//
// In print a node is a line with its share, its value and its calls. An only child with its
// parent's whole value shares the parent's line. It is after " > " (or " < ") there. "- " begins a
// branch. Small branches are one line together, so lines add up at each level.

#ifndef PMEM_CLI_TREE_H
#define PMEM_CLI_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "rows/profile.h"
#include "rows/resolved_frame.h"
#include "rows/row.h"

struct node {
	struct resolved_frame resolved;
	int64_t value;         // the sum over the rows below and those that end here
	uint64_t blocks;       // live blocks, summed likewise
	uint64_t calls;        // allocs, summed likewise
	uint64_t rows;
	struct node *children; // largest value first; equal ones by name
	struct node *next;     // the next sibling
	struct node *parent;   // NULL for the root
};

// The root's frame is empty, and its name is "". A node's value beyond its children's sum ends at
// the node: in a stack that was cut, or that is the beginning of another stack. While no value is
// negative, the children's sum is never more than the node's value.
struct node *tree_build(const struct profile *profile, enum value value, bool inverted);

void tree_free(struct node *root);

struct tree_style {
	enum value value;
	bool inverted;    // as the tree was built
	double threshold; // percent of the whole; smaller branches are folded
	uint64_t min;     // of the value; smaller branches are folded
	bool no_calls;    // true if blocks and calls are not known
	bool is_sampled;  // true if all values are estimates
	bool has_mapped;  // true if mapped memory is among them
	// Says what the rows are that are not in the tree, but in the whole; NULL if there are none.
	const char *others;
	struct row others_sum;
	// The same for rows with negative values, which have no share. They are not in the whole.
	const char *negative;
	struct row negative_sum;
};

// Prints to standard output. The tree's values must not be negative.
void tree_print(const struct tree_style *style, const struct node *root);

#endif
