// SPDX-License-Identifier: BSD-2-Clause
// duplicates: finds logs whose snapshots are all in another log, too. A copied folder has such
// logs, and so has a folder with a packed log beside the original. Only logs that have a snapshot
// of their last run in common are compared. Of two, the duplicate is the one that ends earlier. If
// both end at the same snapshot, the duplicate is the one that begins later. Successive pieces of
// one log have no snapshot in common.

#ifndef PMEM_CLI_DUPLICATES_H
#define PMEM_CLI_DUPLICATES_H

#include <stddef.h>

// Removes duplicates from `paths`, in place, and warns how many there were. For repeated calls,
// `told` is not NULL: then the warning comes only if there are more than *told, and *told is set to
// their number. A path that is no file, or a log that does not name its run, is never a duplicate.
char **duplicates_leave_out(char **paths, size_t *told);

#endif
