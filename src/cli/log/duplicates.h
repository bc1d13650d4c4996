// SPDX-License-Identifier: BSD-2-Clause
// duplicates: logs that tell nothing which another log does not, as in a copied folder, or a packed
// log beside the one that it was. Two logs with a snapshot of their last run in common: the duplicate
// is the one that ends earlier, or ends equally late and does not begin earlier. Pieces of one log,
// one behind the other, have no snapshot in common.

#ifndef PMEM_CLI_DUPLICATES_H
#define PMEM_CLI_DUPLICATES_H

#include <stddef.h>

// Leaves them out of the paths, in place, and says how many there are; where that is asked again
// and again, only when there are more than *told, which it sets; NULL: always. What is no file,
// or does not tell which run it is of, is no duplicate.
char **duplicates_leave_out(char **paths, size_t *told);

#endif
