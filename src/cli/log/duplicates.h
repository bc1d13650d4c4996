// SPDX-License-Identifier: BSD-2-Clause
// duplicates: finds logs that repeat another log. A copied folder has duplicates, and so has a
// folder with a packed log beside the original. Two logs are compared only if they have a snapshot
// of their last run in common. Then the log that ends earlier is the duplicate. If both end at the
// same snapshot, the log that begins later is the duplicate. Successive pieces of one log have no
// snapshot in common.

#ifndef PMEM_CLI_DUPLICATES_H
#define PMEM_CLI_DUPLICATES_H

#include <stddef.h>

// Removes duplicates from `paths`, in place, and warns how many there were. If `told` is not NULL,
// warns only if there are more duplicates than *told. Then sets *told to their number, after a
// warning or without. So repeated calls do not repeat the warning. A path that is no file, or a log
// that does not name its run, is never a duplicate.
char **duplicates_leave_out(char **paths, size_t *told);

#endif
