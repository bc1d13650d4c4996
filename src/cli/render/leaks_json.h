// SPDX-License-Identifier: BSD-2-Clause
// leaks_json: writes the answer of `pmem leaks` as JSON. FORMAT.md has the members.

#ifndef PMEM_CLI_LEAKS_JSON_H
#define PMEM_CLI_LEAKS_JSON_H

#include <stdio.h>

#include "render/leaks_text.h"
#include "report/report.h"
#include "rows/grouping.h"

// Writes the object of one process, while its log is open.
void leaks_json_process(FILE *to, const struct report_process *of, const struct leaks_style *style);

// Writes the whole answer. Each process has its object as its text. The arguments `by` and
// `with_lines` are those of struct grouping.
void leaks_json_print(FILE *to, const struct report *report, enum grouping_by by, bool with_lines);

#endif
