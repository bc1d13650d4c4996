// SPDX-License-Identifier: BSD-2-Clause
// export: a profile in the formats of other programs, one file each. The sum of what is
// written is the sum of the profile: {other} and {rest} are stacks of one frame of that name.
//
// A format that can only show amounts leaves out rows whose value is negative: what shrank,
// with --value growth. export.c says how much that was.

#ifndef PMEM_CLI_EXPORT_H
#define PMEM_CLI_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/profile.h"
#include "rows/resolved_frame.h"
#include "rows/match.h"

// What is asked of a format.
struct export {
	const struct profile *profile; // symbolized, and sorted by value
	enum value value;
	bool has_value; // --value was given
};

// Stacks as flamegraph.pl and inferno read them: `outermost;...;innermost VALUE`.
void export_collapsed(FILE *to, const struct export *what);

// github.com/google/pprof, proto/profile.proto, not compressed.
void export_pprof(FILE *to, const struct export *what);

// www.speedscope.app/file-format-schema.json: a profile of type "sampled".
void export_speedscope(FILE *to, const struct export *what);

// github.com/jrfonseca/gprof2dot, schema.json, version 0.
void export_gprof2dot(FILE *to, const struct export *what);

// RFC 4180: a line of names, then a line a row, with all counts.
void export_csv(FILE *to, const struct export *what);

// A line a place: bytes, calls, location. As mwrap's users sort and diff it.
void export_mwrap(FILE *to, const struct export *what);

// A JSON object a line for each entry of each snapshot of the logs, and one for each snapshot:
// see export_ndjson.c for the names. Reads the logs itself. False: one of them was no good.
bool export_ndjson(FILE *to, char **paths, const struct stack_match *match);

// For these files. The next row, from *at on, that has any of the value, and how much; NULL:
// there is none.
const struct row *export_next(const struct export *what, size_t *at, uint64_t *weight);

// The frames of a row, outermost first; at least one. Good until the next call.
const struct resolved_frame *export_frames(const struct row *row, size_t *count);

// The frame's name; of a line of a language "function (file:line)". Good until the next call.
const char *export_name(const struct resolved_frame *resolved);

// "function (file:line)" of the frame where it is worth looking. Good until the next call.
const char *export_where(const struct resolved_frame *frames, size_t count);

// Names of functions and files as text that other programs take. A log may have any byte in
// them; what is no UTF-8, or not fit for a terminal (glyph.h), is shown as the log has it, \xHH.
//
// The text itself if all of it is fit; else a copy, which is good until the next call.
const char *utf8_plain(const char *text);

// The text in quotes, as a string of JSON (RFC 8259).
void json_text(FILE *to, const char *text);

#endif
