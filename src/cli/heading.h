// heading: what must be known before a profile's numbers are: of which processes and blocks they
// are, what the log lacks and what it is not able to tell.

#ifndef PMEM_CLI_HEADING_H
#define PMEM_CLI_HEADING_H

#include "profile.h"

// Prints it to standard output. How many lines that were.
unsigned heading_print(const struct profile *profile);

#endif
