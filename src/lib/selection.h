// selection: which sources a block shows, what the rest of them adds up to, and whose modules no
// block will need again.
//
// Who may call: the one thread that writes a block. Never allocates but pages of its own,
// never blocks.

#ifndef PMEM_SELECTION_H
#define PMEM_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

struct block;

// Looks at all sources; `now` of the block is set. The selections get those that qualify to be
// shown, unsorted; all of them, unless there is no memory for that. At the end (`all`) those
// that hold memory qualify though they have not moved.
void selection_look(struct block *block, bool all);

// What to show: those that hold memory before the others, and a bound for the block, which
// surely fits into a log of its own.
void selection_choose(struct block *block, bool all);

// After a block, when modules begin to find no room: entries of those that are gone become those
// of others, once no source that names them holds memory. `now` says which of source_sums() the
// block has shown, of the first `sources`: one that has moved since is to be shown again. Left in
// the middle it has lost nothing but some sources' names.
void selection_reuse_modules(unsigned now, uint32_t sources);

#endif
