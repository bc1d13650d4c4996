// SPDX-License-Identifier: BSD-2-Clause
// export: writes a profile in the formats of other programs, one file each. The sum of what is
// written is the sum of the profile: {other} and {rest} are stacks of one frame with that name.
//
// A format that can only show amounts leaves out rows with a negative value: what shrank, with
// --value growth. export.c reports how much that was.

#ifndef PMEM_CLI_EXPORT_H
#define PMEM_CLI_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/profile.h"
#include "rows/resolved_frame.h"
#include "rows/match.h"

// The request to a format.
struct export {
	const struct profile *profile; // symbolized, and sorted by value
	enum value value;
	bool has_value; // true with --value
};

// Stacks as flamegraph.pl and inferno read them: `outermost;...;innermost VALUE`.
void export_collapsed(FILE *to, const struct export *what);

// The format of github.com/google/pprof, proto/profile.proto, not compressed.
void export_pprof(FILE *to, const struct export *what);

// The format of www.speedscope.app/file-format-schema.json: a profile of type "sampled".
void export_speedscope(FILE *to, const struct export *what);

// The format of github.com/jrfonseca/gprof2dot, schema.json, version 0.
void export_gprof2dot(FILE *to, const struct export *what);

// RFC 4180: a line of names, then a line a row, with all counts.
void export_csv(FILE *to, const struct export *what);

// A line for each place: bytes, calls, location. Users of mwrap sort and diff such lines.
void export_mwrap(FILE *to, const struct export *what);

// Writes a JSON object a line: one for each entry of each snapshot of the logs, and one for each
// snapshot. ndjson.c has the names. Reads the logs itself. Returns false if one of the logs was
// bad.
bool export_ndjson(FILE *to, char **paths, const struct stack_match *match);

// For the files here. Returns the next row, from *at on, that has any of the value, and sets
// *weight. Returns NULL if there is none.
const struct row *export_next(const struct export *what, size_t *at, uint64_t *weight);

// Returns the frames of a row, outermost first, at least one. They are valid until the next call.
const struct resolved_frame *export_frames(const struct row *row, size_t *count);

// Returns the frame's name; for a line of a language it is "function (file:line)". The text is
// valid until the next call.
const char *export_name(const struct resolved_frame *resolved);

// Returns "function (file:line)" of the frame that a reader should look at. The text is valid until
// the next call.
const char *export_where(const struct resolved_frame *frames, size_t count);

// utf8_plain() makes names of functions and files fit for other programs. A log may have any byte
// in them. Bytes that are no UTF-8, or not fit for a terminal (glyph.h), are shown as in the log,
// \xHH.
//
// Returns the text itself if all of it is fit. Otherwise returns a copy, which is valid until the
// next call.
const char *utf8_plain(const char *text);

// Writes the text in quotes, as a string of JSON (RFC 8259).
void json_text(FILE *to, const char *text);

#endif
