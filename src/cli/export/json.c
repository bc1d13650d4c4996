// SPDX-License-Identifier: BSD-2-Clause
// Formats that are a single JSON object. Each frame is written once, and stacks refer to frames by
// number.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/plain.h"
#include "export/export.h"

static struct {
	struct intern texts, frames;
} seen;

// Returns the frame's number. If the frame is new, prints the frame to `to`. For known frames, `to`
// may be NULL. In speedscope, frames with the same name, file and line are one frame. In gprof2dot,
// frames with the same name and module are one frame.
static size_t
frame_number(FILE *to, const struct resolved_frame *resolved, bool is_speedscope)
{
	const struct module *module = resolved->frame ? resolved->frame->module : NULL;
	const char *file = resolved->call ? resolved->call->file : "";
	const char *where = is_speedscope ? file : resolved_is_line(resolved)
		? resolved_module(resolved)
		: module ? module->path : "";
	uint64_t key[] = {
		intern_text(&seen.texts, resolved->name),
		intern_text(&seen.texts, where),
		is_speedscope && resolved->call ? resolved->call->line : 0,
	};
	bool is_new;
	size_t number = intern_number(&seen.frames, key, sizeof(key), &is_new);
	ASSERT(to || !is_new);
	if (!to || !is_new)
		return number;

	fputs(number ? ",\n {\"name\":" : "\n {\"name\":", to);
	json_text(to, resolved->name);
	if (where[0] || (!is_speedscope && module)) {
		fputs(is_speedscope ? ",\"file\":" : ",\"module\":", to);
		json_text(to, where);
	}
	if (key[2] > 0)
		fprintf(to, ",\"line\":%" PRIu64, key[2]);
	fputc('}', to);
	return number;
}

static void
print_steps(FILE *to, const struct export *what, bool is_speedscope)
{
	const struct row *row;
	uint64_t weight;
	size_t count;

	for (size_t i = 0; (row = export_next(what, &i, &weight));) {
		const struct resolved_frame *frames = export_frames(row, &count);
		for (size_t k = 0; k < count; k++)
			frame_number(to, &frames[k], is_speedscope);
	}
}

// Returns the title that speedscope shows.
static char *
title(const struct export *what)
{
	const struct profile_run *first = what->profile->runs;
	const char *value = value_names[what->value];

	if (what->profile->run_count == 1)
		return memory_format("%s of %s, pid %ld, snapshot %" PRIu64, value, first->run->exe,
			first->run->pid, first->at.number);
	return memory_format("%s of %zu processes", value, what->profile->run_count);
}

// Writes the frames, with file and line if known. Then writes a sample for each source: its stack,
// outermost first. Last come the samples' weights.
void
export_speedscope(FILE *to, const struct export *what)
{
	char *name = title(what);
	const char *between = "\n ";
	const struct row *row;
	uint64_t weight, sum = 0;
	size_t count;

	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		"\"exporter\":\"pmem\",\n\"name\":", to);
	json_text(to, name);
	fputs(",\n\"shared\":{\"frames\":[", to);
	print_steps(to, what, true);
	fputs("]},\n\"profiles\":[{\"type\":\"sampled\",\"name\":", to);
	json_text(to, name);
	fprintf(to, ",\"unit\":\"%s\",\n\"samples\":[",
		value_is_bytes(what->value) ? "bytes" : "none");
	for (size_t i = 0; (row = export_next(what, &i, &weight)); between = ",\n ") {
		const struct resolved_frame *frames = export_frames(row, &count);
		fprintf(to, "%s[", between);
		for (size_t k = 0; k < count; k++)
			fprintf(to, "%s%zu", k ? "," : "", frame_number(NULL, &frames[k], true));
		fputc(']', to);
	}
	fputs("],\n\"weights\":[", to);
	between = "";
	for (size_t i = 0; (row = export_next(what, &i, &weight)); between = ",") {
		fprintf(to, "%s%" PRIu64, between, weight);
		sum += weight;
	}
	fprintf(to, "],\n\"startValue\":0,\"endValue\":%" PRIu64 "}]}\n", sum);
	free(name);
	intern_free(&seen.texts);
	intern_free(&seen.frames);
}

// Writes the functions. Then writes an event for each source: its stack, innermost first, and its
// cost.
void
export_gprof2dot(FILE *to, const struct export *what)
{
	const char *between = "\n ";
	const struct row *row;
	uint64_t weight;
	size_t count;

	fprintf(to, "{\"version\":0,\n\"costs\":[{\"description\":\"%s\",\"unit\":\"%s\"}],\n",
		value_names[what->value], value_is_bytes(what->value) ? "bytes" : "count");
	fputs("\"functions\":[", to);
	print_steps(to, what, false);
	fputs("],\n\"events\":[", to);
	for (size_t i = 0; (row = export_next(what, &i, &weight)); between = ",\n ") {
		const struct resolved_frame *frames = export_frames(row, &count);
		fprintf(to, "%s{\"callchain\":[", between);
		for (size_t k = count; k-- > 0;)
			fprintf(to, "%zu%s", frame_number(NULL, &frames[k], false), k > 0 ? "," : "");
		fprintf(to, "],\"cost\":[%" PRIu64 "]}", weight);
	}
	fputs("]}\n", to);
	intern_free(&seen.texts);
	intern_free(&seen.frames);
}
