// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "base/unit.h"
#include "render/json.h"
#include "rows/attribution.h"
#include "rows/resolved_frame.h"
#include "version.h"

enum { SCHEMA = 1 };

// Writes what comes before a value: a comma, a new line, and the member's name.
static FILE *
next(struct json *json, const char *name)
{
	fputs(json->is_next ? ",\n" : "\n", json->to);
	json->is_next = true;
	if (name) {
		json_text(json->to, name);
		fputc(':', json->to);
	}
	return json->to;
}

void
json_begin(struct json *json, const char *name, char bracket)
{
	fputc(bracket, next(json, name));
	json->is_next = false;
}

void
json_end(struct json *json, char bracket)
{
	fputc(bracket == '{' ? '}' : ']', json->to);
	json->is_next = true;
}

void
json_string(struct json *json, const char *name, const char *text)
{
	json_text(next(json, name), text);
}

void
json_bool(struct json *json, const char *name, bool value)
{
	fputs(value ? "true" : "false", next(json, name));
}

void
json_integer(struct json *json, const char *name, int64_t value)
{
	fprintf(next(json, name), "%" PRId64, value);
}

void
json_rounded(struct json *json, const char *name, double value)
{
	if (fabs(value) < (double)INT64_MAX)
		fprintf(next(json, name), "%lld", llround(value));
	else if (isfinite(value))
		fprintf(next(json, name), "%.0f", value);
	else
		fputs("null", next(json, name));
}

void
json_id(struct json *json, const char *name, uint64_t id)
{
	char text[32];

	snprintf(text, sizeof(text), "%016" PRIx64, id);
	json_string(json, name, text);
}

void
json_time(struct json *json, const char *name, int64_t time_ms)
{
	json_string(json, name, unit_iso_time(UNIT_ROOM, time_ms));
}

void
json_lines(struct json *json, const char *name, char *text)
{
	json_begin(json, name, '[');
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		json_string(json, NULL, line);
	json_end(json, '[');
	free(text);
}

void
json_schema(struct json *json)
{
	json_integer(json, "schema", SCHEMA);
	json_string(json, "pmem", PMEM_VERSION);
}

void
json_run(struct json *json, const struct run *run, const char *program)
{
	if (run->pid)
		json_integer(json, "pid", run->pid);
	json_string(json, "program", program);
	if (run->command[0])
		json_string(json, "command", run->command);
	if (run->host[0])
		json_string(json, "host", run->host);
	if (run->id)
		json_id(json, "run", run->id);
}

void
json_kind(struct json *json, const struct row *row)
{
	static const char *const kinds[] = {
		[SOURCE_STACK] = "stack",
		[SOURCE_OTHER] = "other",
		[SOURCE_INHERITED] = "inherited",
		[SOURCE_REST] = "rest",
	};

	json_string(json, "kind", kinds[row->kind]);
	json_bool(json, "is_mapped", row->is_mapped);
}

static void
frame(struct json *json, const struct resolved_frame *resolved)
{
	const char *module = resolved_module(resolved);
	const struct inline_call *call = resolved->call;

	if (call && call->file[0])
		json_string(json, "file", call->file);
	if (call && call->file[0] && call->line > 0)
		json_integer(json, "line", call->line);
	json_string(json, "function", resolved->name);
	if (module[0] && !resolved_is_line(resolved))
		json_string(json, "module", resolved->frame->module ? resolved->frame->module->path : module);
	if (resolved_is_line(resolved))
		json_string(json, "language", resolved->frame->language);
}

void
json_where(struct json *json, const struct row *row, const char *where)
{
	struct resolved_stack stack = {0};

	json_string(json, "where", where);
	resolved_stack_take(&stack, row);
	if (row->depth > 0)
		frame(json, attribution_shown(stack.frames, stack.count));
	free(stack.frames);
}

void
json_stack(struct json *json, const struct row *row)
{
	struct resolved_stack stack = {0};

	json_begin(json, "stack", '[');
	resolved_stack_take(&stack, row);
	for (size_t i = stack.count; row->depth > 0 && i-- > 0;) {
		json_begin(json, NULL, '{');
		frame(json, &stack.frames[i]);
		json_end(json, '{');
	}
	json_end(json, '[');
	free(stack.frames);
}
