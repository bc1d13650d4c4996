// progress: a log read to its end, while whoever waits at a terminal is told how far it is.

#ifndef PMEM_CLI_PROGRESS_H
#define PMEM_CLI_PROGRESS_H

#include "log/reading.h"

// reading_next(), with term_progress() of it.
const struct snapshot *progress_next(struct reading *reading);

#endif
