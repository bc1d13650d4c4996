// SPDX-License-Identifier: BSD-2-Clause
// advice: what to do so that the next answer says more.

#ifndef PMEM_CLI_ADVICE_H
#define PMEM_CLI_ADVICE_H

#include <stdio.h>

#include "report/report.h"

// Prints when to ask again of a process of which it is too early to tell, if it may still run: "; ask again
// in 6m 55s".
void advice_ask(FILE *to, const struct report_process *process);

// Prints `before` and what the log's notes advise, so that rows name the line that keeps a block: "With
// USE_ZEND_ALLOC=0 in its environment each block is seen", if no row has one yet; or how to get the names of
// code made at run time, or what Perl's memory holds. Bit i of *said: advice i was printed, and is not again.
// Returns how many notes are printed as a whole.
size_t advice_print(FILE *to, const struct report_process *process, const char *before, unsigned *said);

#endif
