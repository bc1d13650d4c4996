// tree: the call tree of a profile's rows: from the outermost frame inwards, or, inverted,
// from the function that allocates outwards. Inlined functions are levels of their own.

#ifndef PMEM_CLI_TREE_H
#define PMEM_CLI_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile.h"
#include "symbols.h"

// One step of a stack, from a frame or from a function inlined there.
struct step {
	const struct frame *frame; // NULL: a row without frames; name is {other} or {rest}
	const struct call *call;   // NULL: the frame has no function; name is the place
	const char *name;
};

// The steps of a row, outermost first: as many as there are, or, when `steps` is NULL, their
// number. Names live as long as the process.
size_t row_steps(const struct row *row, struct step *steps);

// Function and place where it is worth looking: the innermost step that is in none of the
// allocator's, the C++ library's or Rust's own wrappers (operator new, std::, __gnu_cxx::,
// alloc::, libc's strdup and the like); the hook itself when there is no other.
// *index: its place in steps.
const struct step *steps_where(const struct step *steps, size_t count, size_t *index);

struct node {
	struct step step;
	int64_t value; // sum over the rows below
	uint64_t calls; // allocs, likewise
	uint64_t rows;
	struct node *children; // largest value first, after tree_sort()
	struct node *next;     // sibling
};

// The root's step is empty. The sum of children is never more than the node's value.
struct node *tree_build(const struct profile *profile, enum value value, bool inverted);

#endif
