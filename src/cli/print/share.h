// share: parts of a whole in tenths of a percent that add up.

#ifndef PMEM_CLI_SHARE_H
#define PMEM_CLI_SHARE_H

#include <stddef.h>
#include <stdint.h>

enum { SHARE_WHOLE = 1000 };

// What each part has of their sum, where all have `whole` tenths together: they add up to that
// exactly (what rounding leaves over goes to those that lost most by it). A larger part never
// gets less than a smaller one. All 0 when all parts are.
void share_split(unsigned *tenths, unsigned whole, const uint64_t *parts, size_t count);

#endif
