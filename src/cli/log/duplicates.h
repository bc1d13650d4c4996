// SPDX-License-Identifier: BSD-2-Clause
// duplicates: finds logs that say nothing that another log does not. A copied folder has such logs,
// or a packed log beside its original. Two logs are compared if they have a snapshot of their last
// run in common. The duplicate is the one that ends earlier, or ends at the same snapshot and
// begins no earlier. Successive pieces of one log have no snapshot in common.

#ifndef PMEM_CLI_DUPLICATES_H
#define PMEM_CLI_DUPLICATES_H

#include <stddef.h>

// Removes duplicates from the paths, in place, and prints how many there are. With `told`, it
// prints this only if there are more than *told, and sets *told. `told` is for repeated calls; with
// NULL it always prints. A path that is no file, or a log that does not name its run, is no
// duplicate.
char **duplicates_leave_out(char **paths, size_t *told);

#endif
