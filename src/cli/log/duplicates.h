// SPDX-License-Identifier: BSD-2-Clause
// duplicates: finds logs that repeat another log. Such logs are in a copied folder, or in a folder
// with a packed log beside the original. Two logs are compared only if they have a snapshot of
// their last run in common. Of two such logs, the one that ends earlier is the duplicate. If both
// end at the same snapshot, the one that begins later is the duplicate. Successive pieces of one
// log have no snapshot in common.

#ifndef PMEM_CLI_DUPLICATES_H
#define PMEM_CLI_DUPLICATES_H

#include <stddef.h>

// Removes duplicates from `paths`, in place, and warns how many there were. If `told` is not NULL,
// warns only if there are more duplicates than *told. In any case sets *told to their number. So
// repeated calls do not repeat the warning. A path that is no file, or a log that does not name its
// run, is never a duplicate.
char **duplicates_leave_out(char **paths, size_t *told);

#endif
