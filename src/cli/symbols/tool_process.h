// SPDX-License-Identifier: BSD-2-Clause
// tool_process: an installed program run over a text: to its standard input, from its standard
// output. What it says on standard error is dropped.
//
// Blocks until it has ended, or has neither written a byte nor worked for BUDGET_TOOL_STILL_MS, or
// has used its memory or time up (budget.h); then it is killed.
// Its input is a file, so that neither side can fill a pipe the other does not read, and none
// gets SIGPIPE. No shell. It runs without LD_PRELOAD, with no signal blocked, in the C locale,
// and asks no server for debug files.

#ifndef PMEM_CLI_TOOL_PROCESS_H
#define PMEM_CLI_TOOL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct tool_process {
	const char *path;
	const char *const *arguments; // from argv[0] on, NULL-terminated
	const char *dir;              // to run it in; NULL: ours
	const char *input;
	size_t input_bytes;
	size_t output_max;    // a program that writes more is killed
	// Results:
	char *output; // terminated, to be freed
	size_t output_bytes;
	char why[64]; // when it failed
	bool hung;    // or it took too long
	bool told;    // that we wait (term_progress())
};

// False: it could not be run, was killed, or did not exit with 0; no output then.
bool tool_run(struct tool_process *tool);

// What budget.h says; for tests.
extern unsigned tool_still_ms, tool_seconds;

#endif
