// SPDX-License-Identifier: BSD-2-Clause
// pprof_tables: what a profile of pprof refers to by number: texts, functions, locations and mappings. One
// profile is written at a time.
//
// Samples are written one after the other, and their locations, functions, mappings and texts are
// numbered. Texts are written at the end: the format allows any order of fields.
//
// Each frame has a name, or MODULE(+0xOFFSET), so pprof looks nothing up. Hooks are in drop_frames.

#ifndef PMEM_CLI_PPROF_TABLES_H
#define PMEM_CLI_PPROF_TABLES_H

#include <stdint.h>
#include <stdio.h>

#include "log/run.h"

// Field numbers of profile.proto.
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING_TABLE,
	PROFILE_DROP_FRAMES,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	PROFILE_COMMENT,
	PROFILE_DEFAULT_SAMPLE_TYPE,

	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT,

	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE,
	SAMPLE_LABEL,

	LABEL_KEY = 1,
	LABEL_STR,
	LABEL_NUM,

	MAPPING_ID = 1,
	MAPPING_START,
	MAPPING_LIMIT,
	MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILENAMES,
	MAPPING_HAS_LINE_NUMBERS,
	MAPPING_HAS_INLINE_FRAMES,

	LOCATION_ID = 1,
	LOCATION_MAPPING_ID,
	LOCATION_ADDRESS,
	LOCATION_LINE,

	LINE_FUNCTION_ID = 1,
	LINE_LINE,

	FUNCTION_ID = 1,
	FUNCTION_NAME,
	FUNCTION_SYSTEM_NAME,
	FUNCTION_FILENAME,
};

// Begins a profile that is written to `to`.
void pprof_begin(FILE *to);

// Returns the text's number; that of "" is 0.
uint64_t pprof_text(const char *text);

// Returns the module's mapping id. Ids begin with 1. Returns 0 if `module` is NULL.
uint64_t pprof_mapping(const struct module *module);

// pprof_frame() returns the frame's location. pprof_named() returns that of {other}, {rest} or a label,
// which has only a function's name. New functions and locations are written at once.
uint64_t pprof_frame(const struct frame *frame);
uint64_t pprof_named(const char *name);

// Returns a regular expression that matches the hooks' names, without parameters. pprof removes a
// name's parameters before it compares the name. The caller frees it.
char *pprof_hooks(void);

// Writes mappings and texts. Everything else must have been written.
void pprof_end(void);

#endif
