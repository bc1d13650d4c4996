// SPDX-License-Identifier: BSD-2-Clause
// leaks_text: writes the answer of `pmem leaks` for one process as text, on one screen. The answer
// is a line with the verdict, a table of what leaks, and a line for each other thing to act on.

#ifndef PMEM_CLI_LEAKS_TEXT_H
#define PMEM_CLI_LEAKS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "render/leaks_lines.h"
#include "report/report.h"

// Writes lines and tables, while the process's log is open.
void leaks_text_print(FILE *to, const struct report_process *process,
	const struct leaks_style *style);

// Writes the lines alone, with all that a verbose style has.
void leaks_text_lines(FILE *to, const struct report_process *process,
	const struct leaks_style *style);

// Writes the line on this verdict that a process has in an answer for many: "too early: gate 8238: ...".
// With is_bare, writes only what follows these words.
void leaks_text_remark(FILE *to, const struct report_process *process, enum report_verdict verdict,
	bool is_bare);

#endif
