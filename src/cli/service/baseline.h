// SPDX-License-Identifier: BSD-2-Clause
// baseline: for `leaks --baseline`: which sources leaked in an earlier release, and how fast. Only
// a source that leaks faster now than in that release counts as a leak.

#ifndef PMEM_CLI_BASELINE_H
#define PMEM_CLI_BASELINE_H

#include "trend/findings.h"

// Adds all leaks of one more process of the earlier release, of any standing (trend/evidence.h).
// The names of the functions on their stacks must have been looked up (symbols.h).
void baseline_add(const struct findings *findings, const struct history *history);

// Returns how fast the source leaked in the earlier release, in the process in which it leaked
// fastest. It is called through leaks_asked.before (trend/evidence.h).
struct work_rate baseline_of(const struct source *source);

// Records the program of one more process of the release that is judged.
void baseline_meet(const struct run *run);

// To be called when all processes have been judged. Gives up to two warnings.
//
// The first is given if no judged process is of a program of the earlier release. Programs are
// compared by their files' names without a version.
//
// The second is given if a source leaks that did not leak in the earlier release. It counts the
// sources that leaked in the earlier release, do not leak now, and have functions without names.
// For these functions only modules could be compared. So a source that seems new may be one of
// these.
void baseline_warn(void);

#endif
