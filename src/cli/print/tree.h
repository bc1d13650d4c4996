// SPDX-License-Identifier: BSD-2-Clause
// tree: the call tree of a profile's rows: from the outermost frame inwards, or, inverted,
// from the function that allocates outwards. Inlined functions are levels of their own.
// Frames are one node when they have function, module, file and line in common.
//
// In print: a line a node with its share, its value and its calls. A function that alone has all
// that the one above it has stands on its line, behind " > " (or " < "); "- " begins a branch. Small
// branches are one line together, so that lines add up at each level.

#ifndef PMEM_CLI_TREE_H
#define PMEM_CLI_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "rows/profile.h"
#include "rows/resolved_frame.h"
#include "rows/row.h"

struct node {
	struct resolved_frame resolved;
	int64_t value;         // sum over the rows below and those that end here
	uint64_t blocks;       // live ones, likewise
	uint64_t calls;        // allocs, likewise
	uint64_t rows;
	struct node *children; // largest value first; equal ones by name
	struct node *next;     // sibling
	struct node *parent;   // NULL: the root
};

// The root's frame is empty, its name "". What a node has more than its children together ends
// there: a stack that was cut, or that is the beginning of another. As long as no value is
// negative, the sum of children is never more than the node's.
struct node *tree_build(const struct profile *profile, enum value value, bool inverted);

void tree_free(struct node *root);

struct tree_style {
	enum value value;
	bool inverted;    // as the tree was built
	double threshold; // percent of the whole; less is folded
	uint64_t min;     // of the value; less is folded
	bool no_calls;    // blocks and calls are not known
	bool is_sampled;  // all values are estimates
	// Rows that are not in the tree, but in the whole: what they are, NULL: there are none.
	const char *others;
	struct row others_sum;
	// Rows that have less than nothing and so no share: likewise, but not in the whole.
	const char *negative;
	struct row negative_sum;
};

// To standard output. The tree's values must not be negative.
void tree_print(const struct tree_style *style, const struct node *root);

#endif
