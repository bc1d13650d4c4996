// SPDX-License-Identifier: BSD-2-Clause
// tool_process: runs an installed program on a text. The text goes to its standard input, and its
// standard output is the result. Its standard error is dropped.
//
// Blocks until the program has ended. Kills a program that has neither written a byte nor worked
// for BUDGET_TOOL_STILL_MS, or has used up its budget (budget.h). The program's input is a file. So
// neither side can fill a pipe that the other does not read, and none gets SIGPIPE. There is no
// shell. The program runs without LD_PRELOAD, with no signal blocked, in the C locale, and asks no
// server for debug files.

#ifndef PMEM_CLI_TOOL_PROCESS_H
#define PMEM_CLI_TOOL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct tool_process {
	const char *path;
	const char *const *arguments; // from argv[0] on, NULL-terminated
	const char *dir;              // the directory to run it in; NULL for the current one
	const char *input;
	size_t input_bytes;
	size_t output_max;    // the most bytes of output; a program that writes more is killed
	// Results:
	char *output; // terminated; the caller frees it
	size_t output_bytes;
	char why[64]; // the reason if it failed
	bool hung;    // true if it hung or took too long
	bool told;    // true if term_progress() shows that we wait
};

// Returns false if the program could not be run, was killed, or did not exit with 0. There is no
// output then.
bool tool_run(struct tool_process *tool);

// The limits from budget.h; tests set them.
extern unsigned tool_still_ms, tool_seconds;

#endif
