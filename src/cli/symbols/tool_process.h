// SPDX-License-Identifier: BSD-2-Clause
// tool_process: runs an installed program as a filter. A text is the program's standard input, and
// its standard output is the result. Its standard error is dropped.
//
// tool_run() blocks until the program has ended. It kills a program that writes nothing and uses no
// processor time for BUDGET_TOOL_STILL_MS. It also kills a program that has used up its budget of
// processor time (budget.h). The program's input is a file, not a pipe. So a program that does not
// read its input cannot block us, and we cannot get SIGPIPE. No shell is used. The program runs
// without LD_PRELOAD, with no signal blocked, in the C locale. It does not ask servers for debug
// files.

#ifndef PMEM_CLI_TOOL_PROCESS_H
#define PMEM_CLI_TOOL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct tool_process {
	const char *path;
	const char *const *arguments; // the program's arguments from argv[0] on, NULL-terminated
	const char *dir;              // the program's working directory; NULL for ours
	const char *input;
	size_t input_bytes;
	size_t output_max; // a program that writes more bytes than this is killed
	// Results:
	char *output; // terminated; the caller frees it
	size_t output_bytes;
	char why[64]; // the reason if the program failed
	bool hung;    // true if the program was killed because it hung or took too long
	bool told;    // true if term_progress() was called to show that we wait
};

// Runs the program. Returns false if it could not be run, was killed, or exited with another status
// than 0. Then there is no output.
bool tool_run(struct tool_process *tool);

// Limits from budget.h, as variables so that tests can set them.
extern unsigned tool_still_ms, tool_seconds;

#endif
