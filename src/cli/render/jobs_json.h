// SPDX-License-Identifier: BSD-2-Clause
// jobs_json: writes what short runs of programs left, for leaks_json.h.

#ifndef PMEM_CLI_JOBS_JSON_H
#define PMEM_CLI_JOBS_JSON_H

#include "render/json.h"
#include "report/jobs.h"

// Writes the array `jobs`: an object for each program, with all places. `jobs` may be NULL.
void jobs_json(struct json *json, const struct report_jobs *jobs);

#endif
