// SPDX-License-Identifier: BSD-2-Clause
// baseline: what leaked in the release before, so that only what leaks more is told as a leak.

#ifndef PMEM_CLI_BASELINE_H
#define PMEM_CLI_BASELINE_H

#include "trend/findings.h"

// Of the release before: each call adds what leaked in one more of its processes, however briefly.
// Names of its frames must have been looked up (symbols.h).
void baseline_add(const struct findings *findings, const struct history *history);

// What the source leaked then, in the process in which it did most. For leaks_asked.before.
struct work_rate baseline_of(const struct source *source);

// Of the release that is judged: each call tells of one more of its processes.
void baseline_meet(const struct run *run);

// When all have been judged: warns where none of these processes is of a program that the release
// before has, by the names of their files without a version at the end. Warns of sources that leaked
// then that nobody has asked for, and of which not all of the program's functions have names, so that
// their modules alone were compared; unless nothing leaks now that did not then.
void baseline_warn(void);

#endif
