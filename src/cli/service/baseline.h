// SPDX-License-Identifier: BSD-2-Clause
// baseline: what leaked in the release before, so that only what leaks more counts as a leak.

#ifndef PMEM_CLI_BASELINE_H
#define PMEM_CLI_BASELINE_H

#include "trend/findings.h"

// Adds all leaks of one more process of the release before, however briefly they were seen. The
// names of its frames must have been looked up (symbols.h).
void baseline_add(const struct findings *findings, const struct history *history);

// Returns what the source leaked then, in the process in which it leaked most. For
// leaks_asked.before.
struct work_rate baseline_of(const struct source *source);

// Notes one more process of the release that is judged.
void baseline_meet(const struct run *run);

// Gives two warnings when all processes have been judged. The first says that none of them is of a
// program of the release before. Programs are compared by file names without a version. The second
// is given only if something new leaks. It counts sources that leaked before, not now, and have
// functions of the program without names: only their modules could be compared.
void baseline_warn(void);

#endif
