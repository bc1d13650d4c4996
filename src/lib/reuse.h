// reuse: entries of modules that are gone become those of others, once no source that names
// them holds memory.
//
// Who may call: the thread that writes a block, after it. Never allocates, never blocks. Left
// in the middle it has lost nothing but some sources' names.

#ifndef PMEM_REUSE_H
#define PMEM_REUSE_H

#include <stdint.h>

// Does so when modules begin to find no room. `now` says which of
// source_sums() the block has shown, of the first `sources`: one that has moved since is to be
// shown again.
void reuse_modules(unsigned now, uint32_t sources);

#endif
