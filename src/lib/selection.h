// selection: which sources a block shows, and what the rest of them adds up to.
//
// Who may call: the one thread that writes a block. Never allocates but pages of its own,
// never blocks.

#ifndef PMEM_SELECTION_H
#define PMEM_SELECTION_H

#include <stdbool.h>

struct block;

// Looks at all sources; `now` of the block is set. The selections get those that qualify to be
// shown, unsorted; all of them, unless there is no memory for that. At the end (`all`) those
// that hold memory qualify though they have not moved.
void selection_look(struct block *block, bool all);

// What to show: those that hold memory before the others, and a bound for the block, which
// surely fits into a log of its own.
void selection_choose(struct block *block, bool all);

#endif
