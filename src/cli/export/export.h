// SPDX-License-Identifier: BSD-2-Clause
// export: writes a profile in the formats of other programs. Each format has its own function. The
// written values add up to the profile's sum. {other} and {rest} are written as stacks of one frame
// with that name.
//
// Some formats can show only positive values. They leave out rows with a negative value. An example
// is a source that shrank, with --value growth. export.c warns how many bytes were left out.

#ifndef PMEM_CLI_EXPORT_H
#define PMEM_CLI_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/profile.h"
#include "rows/resolved_frame.h"
#include "rows/match.h"

// What an export function writes.
struct export {
	// the frames must have names (symbols.h), and the rows must be sorted by value
	const struct profile *profile;
	enum value value;
	bool has_value; // true with --value
	bool is_part;   // true if --match or the like left rows out
};

// Writes lines for flamegraph.pl and inferno: `outermost;...;innermost VALUE`.
void export_collapsed(FILE *to, const struct export *what);

// Writes proto/profile.proto of github.com/google/pprof, compressed by gzip. The profile must have been
// loaded with PROFILE_APART.
void export_pprof(FILE *to, const struct export *what);

// Writes www.speedscope.app/file-format-schema.json, with a profile of type "sampled".
void export_speedscope(FILE *to, const struct export *what);

// Writes schema.json, version 0, of github.com/jrfonseca/gprof2dot.
void export_gprof2dot(FILE *to, const struct export *what);

// Writes CSV (RFC 4180): a line with the columns' names, then a line for each row, with all counts.
void export_csv(FILE *to, const struct export *what);

// Writes a line for each place in the code: bytes, calls, location. The program mwrap prints lines
// of this form, which its users sort and compare.
void export_mwrap(FILE *to, const struct export *what);

// Writes JSON objects, one a line: one for each snapshot of the logs, and one for each entry of it.
// ndjson.c lists their members. The function reads the logs itself. Returns false if one of the
// logs was damaged or could not be read.
bool export_ndjson(FILE *to, char **paths, const struct stack_match *match);

// Writes a log as one log: its pieces are joined. With is_anonymous, words that say whose log it is
// have stand-ins, and notes are left out. Damaged snapshots are copied. Returns false if the log could not
// be read whole.
bool export_log_copy(FILE *to, const char *path, bool is_anonymous);

// Used by the formats. Returns the next row with a positive value, from row number *at on. Sets
// *weight to that value, and *at to the number of the following row. Returns NULL if no further row
// has a positive value.
const struct row *export_next(const struct export *what, size_t *at, uint64_t *weight);

// Returns the frames of a row, outermost first. A row has at least one frame. The frames are valid
// until the next call.
const struct resolved_frame *export_frames(const struct row *row, size_t *count);

// Returns the frame's name. For a line of source code, that is "function (file:line)". The text is
// valid until the next call.
const char *export_name(const struct resolved_frame *resolved);

// Returns "function (file:line)" of the program's own function (attribution_own()). The text is
// valid until the next call.
const char *export_where(const struct resolved_frame *frames, size_t count);

#endif
