// Formats that are one JSON object.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/intern.h"
#include "base/memory.h"
#include "export/export.h"

// speedscope. speedscope's file: frames once, with file and line where they are known, then a sample a
// source, its stack outermost first, and the samples' weights.
// Frames are one by name, file and line: two calls in one function are two lines.
struct place {
	size_t name, file; // numbers of texts
	uint64_t line;
};

static struct {
	struct intern texts, places;
} seen;

// The frame's number; printed to `to`, unless NULL, when it is new.
static size_t
place_number(FILE *to, const struct step *step)
{
	const char *file = step->call ? step->call->file : "";
	struct place key = {
		.name = intern_text(&seen.texts, step->name),
		.file = intern_text(&seen.texts, file),
		.line = step->call ? step->call->line : 0,
	};
	bool is_new;
	size_t number = intern_number(&seen.places, &key, sizeof(key), &is_new);
	if (!to || !is_new)
		return number;

	fputs(number ? ",\n {\"name\":" : "\n {\"name\":", to);
	json_text(to, step->name);
	if (file[0] != '\0') {
		fputs(",\"file\":", to);
		json_text(to, file);
	}
	if (key.line > 0)
		fprintf(to, ",\"line\":%" PRIu64, key.line);
	fputc('}', to);
	return number;
}

static void
print_frames(FILE *to, const struct export *what)
{
	for (size_t i = 0; i < what->profile->row_count; i++) {
		const struct row *row = &what->profile->rows[i];
		if (export_weight(row, what->value) == 0)
			continue;
		size_t count;
		const struct step *steps = export_steps(row, &count);
		for (size_t k = 0; k < count; k++)
			place_number(to, &steps[k]);
	}
}

static void
print_samples(FILE *to, const struct export *what)
{
	const char *between = "\n ";

	for (size_t i = 0; i < what->profile->row_count; i++) {
		const struct row *row = &what->profile->rows[i];
		if (export_weight(row, what->value) == 0)
			continue;
		size_t count;
		const struct step *steps = export_steps(row, &count);
		fprintf(to, "%s[", between);
		for (size_t k = 0; k < count; k++)
			fprintf(to, "%s%zu", k ? "," : "", place_number(NULL, &steps[k]));
		fputc(']', to);
		between = ",\n ";
	}
}

// Their sum.
static uint64_t
print_weights(FILE *to, const struct export *what)
{
	const char *between = "";
	uint64_t sum = 0;

	for (size_t i = 0; i < what->profile->row_count; i++) {
		uint64_t weight = export_weight(&what->profile->rows[i], what->value);
		if (weight == 0)
			continue;
		fprintf(to, "%s%" PRIu64, between, weight);
		between = ",";
		sum += weight;
	}
	return sum;
}

// As the window's title has it.
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

void
export_speedscope(FILE *to, const struct export *what)
{
	char *name = title(what);

	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		"\"exporter\":\"pmem\",\n\"name\":", to);
	json_text(to, name);
	fputs(",\n\"shared\":{\"frames\":[", to);
	print_frames(to, what);
	fputs("]},\n\"profiles\":[{\"type\":\"sampled\",\"name\":", to);
	json_text(to, name);
	fprintf(to, ",\"unit\":\"%s\",\n\"samples\":[",
		value_is_bytes(what->value) ? "bytes" : "none");
	print_samples(to, what);
	fputs("],\n\"weights\":[", to);
	uint64_t sum = print_weights(to, what);
	fprintf(to, "],\n\"startValue\":0,\"endValue\":%" PRIu64 "}]}\n", sum);
	free(name);
	intern_free(&seen.texts);
	intern_free(&seen.places);
}

// gprof2dot. gprof2dot's own JSON: functions once, then an event a source: its stack, innermost first, as
// numbers of functions, and its cost.
// Functions are one by name and module.
struct function {
	size_t name, module; // numbers of texts
};

static struct {
	struct intern texts, functions;
} functions_seen;

static size_t
function_number(FILE *to, const struct step *step)
{
	const struct module *module = step->frame ? step->frame->module : NULL;
	struct function key = {
		.name = intern_text(&functions_seen.texts, step->name),
		.module = intern_text(&functions_seen.texts, module ? module->path : ""),
	};
	bool is_new;
	size_t number = intern_number(&functions_seen.functions, &key, sizeof(key), &is_new);
	if (to && is_new) {
		fputs(number ? ",\n {\"name\":" : "\n {\"name\":", to);
		json_text(to, step->name);
		if (module) {
			fputs(",\"module\":", to);
			json_text(to, module->path);
		}
		fputc('}', to);
	}
	return number;
}

static void
print_event(FILE *to, const struct row *row, uint64_t weight, bool is_first)
{
	size_t count;
	const struct step *steps = export_steps(row, &count);

	fputs(is_first ? "\n {\"callchain\":[" : ",\n {\"callchain\":[", to);
	for (size_t i = count; i-- > 0;)
		fprintf(to, "%zu%s", function_number(NULL, &steps[i]), i > 0 ? "," : "");
	fprintf(to, "],\"cost\":[%" PRIu64 "]}", weight);
}

void
export_gprof2dot(FILE *to, const struct export *what)
{
	const struct profile *profile = what->profile;
	bool is_first = true;

	fprintf(to, "{\"version\":0,\n\"costs\":[{\"description\":\"%s\",\"unit\":\"%s\"}],\n",
		value_names[what->value], value_is_bytes(what->value) ? "bytes" : "count");
	fputs("\"functions\":[", to);
	for (size_t i = 0; i < profile->row_count; i++) {
		if (export_weight(&profile->rows[i], what->value) == 0)
			continue;
		size_t count;
		const struct step *steps = export_steps(&profile->rows[i], &count);
		for (size_t k = 0; k < count; k++)
			function_number(to, &steps[k]);
	}
	fputs("],\n\"events\":[", to);
	for (size_t i = 0; i < profile->row_count; i++) {
		uint64_t weight = export_weight(&profile->rows[i], what->value);
		if (weight == 0)
			continue;
		print_event(to, &profile->rows[i], weight, is_first);
		is_first = false;
	}
	fputs("]}\n", to);
	intern_free(&functions_seen.texts);
	intern_free(&functions_seen.functions);
}
