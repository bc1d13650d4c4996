// SPDX-License-Identifier: BSD-2-Clause
// copies: logs that tell nothing which another one does not, as a copy of a folder has them, or a
// packed log beside the one that it was. Of two that have a snapshot of their last run in common,
// that is the one that does not reach as far; or as far, and not further back. Pieces of one log,
// one behind the other, have none in common.

#ifndef PMEM_CLI_COPIES_H
#define PMEM_CLI_COPIES_H

#include <stddef.h>

// Leaves them out of the paths, in place, and says how many there are; where that is asked again
// and again, only when there are more than *told, which it sets; NULL: always. What is no file,
// or does not tell which run it is of, is no copy.
char **copies_leave_out(char **paths, size_t *told);

#endif
