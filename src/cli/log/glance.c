// SPDX-License-Identifier: BSD-2-Clause
// Each snapshot that log.h gives has a line [NUMBER]=== and one time= behind it that can be read,
// so here are at least as many.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "log/glance.h"
#include "log/input.h"
#include "log/line.h"

struct glance {
	struct glanced *all;
	size_t count, room;
	struct glanced next;         // the one under way
	bool has_rule, has_summary;  // what of it there was
	bool is_unsure;
};

// Whatever is under way ends.
static void
end(struct glance *glance)
{
	if (glance->has_rule && glance->has_summary) {
		glance->all = memory_grow(glance->all, glance->count, &glance->room,
			sizeof(*glance->all));
		glance->all[glance->count++] = glance->next;
	}
	// The first pmem's have no summary.
	glance->is_unsure |= glance->has_rule && !glance->has_summary;
	glance->has_rule = glance->has_summary = false;
}

static void
take(struct glance *glance, const struct line *line)
{
	if (line->kind == LINE_HEADER) {
		end(glance);
		glance->next.run = line->header.run;
		glance->is_unsure |= line->expected != NULL;
	} else if (line->kind == LINE_RULE) {
		end(glance);
		glance->has_rule = true;
		glance->next.number = line->summary.number;
		glance->is_unsure |= glance->next.run == 0;
	} else if (line->kind == LINE_TIME && !line->expected) {
		glance->next.time_ms = line->summary.time_ms;
		glance->next.live = line->summary.total.live;
		glance->next.inherited = line->summary.inherited;
		glance->has_summary = true;
	}
}

static void
parse(struct line *line, struct raw_line *raw)
{
	if (raw->length > 0 && raw->text[raw->length - 1] == '\r')
		raw->text[raw->length - 1] = '\0';
	line_parse(line, raw->text);
}

struct glanced *
glance(const char *path, size_t *count, uint64_t *bytes)
{
	struct glance glance = {0};
	struct raw_line raw;
	struct line line;
	struct input *input = input_open(path);

	if (!input)
		return NULL;
	while (!glance.is_unsure && input_next(input, &raw)) {
		// Most lines are entries and frames.
		if (raw.text[0] == ' ' || raw.text[0] == '{')
			continue;
		parse(&line, &raw);
		take(&glance, &line);
	}
	end(&glance);
	uint64_t of;
	*bytes = input_bytes(input, &of);
	input_close(input);
	if (glance.is_unsure || glance.count == 0) {
		free(glance.all);
		return NULL;
	}
	*count = glance.count;
	return glance.all;
}

uint64_t
glance_process(const char *path)
{
	struct input *input = input_open(path);
	struct line line = {0};
	struct raw_line raw;

	while (input && line.kind != LINE_HEADER && line.kind != LINE_RULE && input_next(input, &raw))
		parse(&line, &raw);
	uint64_t number = 0;
	if (line.kind == LINE_HEADER && !line.expected) {
		number = line.header.pid + 1;
		for (const char *at = line.header.host; at && *at; at++)
			number = number * 31 + (unsigned char)*at;
	}
	if (input)
		input_close(input);
	return number;
}
