// outline: a call tree in print: a line a node with its share, its value and its calls. A
// function that alone has all that the one above it has stands there with the same indentation;
// "- " begins a branch. Small branches are one line together, so that lines add up
// at each level.

#ifndef PMEM_CLI_OUTLINE_H
#define PMEM_CLI_OUTLINE_H

#include "rows/tree.h"

struct outline {
	enum value value;
	double threshold; // percent of the whole; less is folded
	uint64_t min;     // of the value; less is folded
	bool no_calls;    // blocks and calls are not known
	// Rows that are not in the tree, but in the whole: what they are, NULL: there are none.
	const char *others;
	struct row others_sum;
	// Rows that have less than nothing and so no share: likewise, but not in the whole.
	const char *negative;
	struct row negative_sum;
};

// To standard output. The tree's values must not be negative.
void outline_print(const struct outline *outline, const struct node *root);

#endif
