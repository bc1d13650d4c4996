// SPDX-License-Identifier: BSD-2-Clause
// json: writes JSON (RFC 8259), one member after another. Commas come by themselves.

#ifndef PMEM_CLI_JSON_H
#define PMEM_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/row.h"

struct json {
	FILE *to;
	bool is_next; // true if a comma must come before the next value
};

// All functions write a member with this name, or an element of an array if `name` is NULL.

// `bracket` is '{' or '['. json_end() writes the closing one.
void json_begin(struct json *json, const char *name, char bracket);
void json_end(struct json *json, char bracket);

void json_string(struct json *json, const char *name, const char *text);
void json_bool(struct json *json, const char *name, bool value);
void json_integer(struct json *json, const char *name, int64_t value);
// Writes a whole number, or null if it is not finite.
void json_rounded(struct json *json, const char *name, double value);
// Writes 16 hexadecimal digits.
void json_id(struct json *json, const char *name, uint64_t id);

// Writes "2026-11-21T02:55:07.004Z".
void json_time(struct json *json, const char *name, int64_t time_ms);

// Writes an array of the text's lines. The text is freed.
void json_lines(struct json *json, const char *name, char *text);

// Writes `schema` and `pmem`, the versions of what follows and of this program. The first changes if
// a member goes or means something else. New members may come at any time.
void json_schema(struct json *json);

// Writes `pid`, `program`, `command`, `host` and `run`, as far as known.
void json_run(struct json *json, const struct run *run, const char *program);

// Writes `kind` and `is_mapped`.
void json_kind(struct json *json, const struct row *row);

// json_where() writes where the row's source allocates. `where` is the text of tables. `file`,
// `line`, `function` and `module` are those of the function that this text begins with, as far as
// known. json_stack() writes `stack`: all functions, the innermost first, each with these four. The
// names must have been looked up (symbols.h).
void json_where(struct json *json, const struct row *row, const char *where);
void json_stack(struct json *json, const struct row *row);

#endif
