// accept: a whole snapshot becomes part of what is known of its run.

#ifndef PMEM_CLI_ACCEPT_H
#define PMEM_CLI_ACCEPT_H

#include <stdbool.h>

#include "log/model.h"

// Sets what its sources hold, the run's totals, and which of the sources that it does not
// show may have changed all the same: what the snapshot says of that is less without emptied=.
// `losses`: its line of them, or NULL; may be written to.
void accept_snapshot(struct snapshot *snapshot, bool has_emptied, char *losses);

#endif
