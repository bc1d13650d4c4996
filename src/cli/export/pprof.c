// SPDX-License-Identifier: BSD-2-Clause
// Writes pprof's profile. Each source has the four values that are usual in heap profiles. Another
// value of --value is the fifth, which pprof shows by default. If the log is not sampled, counts are
// exact, and the period is one byte.
//
// Samples are written one after the other, and their locations, functions, mappings and texts are
// numbered. Texts are written at the end: the format allows any order of fields.
//
// Each frame has a name, or MODULE(+0xOFFSET), so pprof looks nothing up. Hooks are in drop_frames.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/plain.h"
#include "symbols/symbols.h"
#include "export/export.h"
#include "export/proto.h"

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

// pprof's usual name for each enum value.
static const char *const sample_types[] = {
	[VALUE_LIVE] = "inuse_space",
	[VALUE_BLOCKS] = "inuse_objects",
	[VALUE_ALLOC] = "alloc_space",
	[VALUE_ALLOCS] = "alloc_objects",
	[VALUE_FREE] = "free_space",
	[VALUE_FREES] = "free_objects",
	[VALUE_CHURN] = "churn_space",
	[VALUE_GROWTH] = "growth_space",
	[VALUE_OLDER] = "older_space",
};
_Static_assert(sizeof(sample_types) / sizeof(sample_types[0]) == VALUE_OLDER + 1, "a name a value");

// The four values of a sample, in the order of pprof's own heap profiles.
static const enum value heap_values[] = {VALUE_ALLOCS, VALUE_ALLOC, VALUE_BLOCKS, VALUE_LIVE};
enum {
	HEAP_VALUES = sizeof(heap_values) / sizeof(heap_values[0]),
	PLACE_MAX = 4096 + 32, // a path and an offset
};

// For the `has_` fields of a mapping: whether its frames have files, lines and inlined functions.
struct flags {
	bool filenames, line_numbers, inline_frames;
};

static struct {
	FILE *to;
	struct intern texts; // number 0 is ""
	struct intern functions, locations, mappings;
	struct intern hooks; // names of hooks
	struct flags *flags; // flags[n] belongs to the mapping with id n + 1
	size_t flags_room;
} state;

static uint64_t
text_number(const char *text)
{
	return intern_text(&state.texts, utf8_plain(text));
}

// Returns the module's mapping id. Ids begin with 1. Returns 0 if `module` is NULL.
static uint64_t
mapping_id(const struct module *module)
{
	if (!module)
		return 0;
	uint64_t id = intern_number(&state.mappings, &module, sizeof(module), NULL) + 1;
	state.flags = memory_grow(state.flags, id - 1, &state.flags_room, sizeof(*state.flags));
	return id;
}

static uint64_t
function_id(const char *name, const char *system_name, const char *file)
{
	uint64_t key[] = {text_number(name), text_number(system_name), text_number(file)};
	bool is_new;
	uint64_t id = intern_number(&state.functions, key, sizeof(key), &is_new) + 1;

	if (is_new) {
		struct proto function = {0};
		proto_number(&function, FUNCTION_ID, id);
		proto_number(&function, FUNCTION_NAME, key[0]);
		proto_number(&function, FUNCTION_SYSTEM_NAME, key[1]);
		proto_number(&function, FUNCTION_FILENAME, key[2]);
		proto_write(&function, PROFILE_FUNCTION, state.to);
		proto_free(&function);
	}
	return id;
}

static void
add_line(struct proto *location, uint64_t function, unsigned number)
{
	struct proto line = {0};
	proto_number(&line, LINE_FUNCTION_ID, function);
	proto_number(&line, LINE_LINE, number);
	proto_bytes(location, LOCATION_LINE, line.bytes, line.length);
	proto_free(&line);
}

// Adds the functions of a frame to its location. profile.proto requires that the innermost inlined
// function is first.
static void
add_lines(struct proto *location, const struct frame *frame, struct flags *flags)
{
	const struct symbolized *symbolized = frame->symbolized;
	ASSERT(symbolized && symbolized->count > 0);
	unsigned last = symbolized->count - 1;
	char place[PLACE_MAX];

	for (unsigned i = 0; i <= last; i++) {
		const struct inline_call *call = &symbolized->calls[i];
		const char *name = call->function;
		if (name[0] == '\0') {
			symbols_place(frame, place, sizeof(place));
			name = place;
		}
		// All functions but the last are inlined into the last function. Its system name is
		// the linker's name, from the log. Inlined functions get no system name: if it were
		// the same as the name, pprof would strip types and parameters from the name.
		const char *system_name = i == last && !frame->language ? frame->function : "";
		add_line(location, function_id(name, system_name, call->file), call->line);
		if (frame->is_hook && i == last)
			intern_text(&state.hooks, utf8_plain(name));
		flags->filenames |= call->file[0] != '\0';
		flags->line_numbers |= call->line > 0;
	}
	flags->inline_frames |= last > 0;
}

static uint64_t
frame_location(const struct frame *frame)
{
	bool is_new;
	uint64_t id = intern_number(&state.locations, &frame, sizeof(frame), &is_new) + 1;
	if (!is_new)
		return id;

	struct proto location = {0};
	struct flags none = {0};
	uint64_t mapping = mapping_id(frame->module);
	proto_number(&location, LOCATION_ID, id);
	proto_number(&location, LOCATION_MAPPING_ID, mapping);
	// The return address may belong to the next function. So the address before it is used.
	proto_number(&location, LOCATION_ADDRESS,
		frame->address > 0 && !frame->is_hook ? frame->address - 1 : frame->address);
	add_lines(&location, frame, mapping ? &state.flags[mapping - 1] : &none);
	proto_write(&location, PROFILE_LOCATION, state.to);
	proto_free(&location);
	return id;
}

// Returns the location of {other} or {rest}, which has only a function's name.
static uint64_t
named_location(const char *name)
{
	bool is_new;
	uint64_t id = intern_number(&state.locations, name, strlen(name), &is_new) + 1;
	if (!is_new)
		return id;

	struct proto location = {0};
	proto_number(&location, LOCATION_ID, id);
	add_line(&location, function_id(name, name, ""), 0);
	proto_write(&location, PROFILE_LOCATION, state.to);
	proto_free(&location);
	return id;
}

static void
add_value_type(unsigned field, enum value value)
{
	struct proto type = {0};
	proto_number(&type, VALUE_TYPE_TYPE, text_number(sample_types[value]));
	proto_number(&type, VALUE_TYPE_UNIT, text_number(value_is_bytes(value) ? "bytes" : "count"));
	proto_write(&type, field, state.to);
	proto_free(&type);
}

static bool
is_heap_value(enum value value)
{
	for (unsigned i = 0; i < HEAP_VALUES; i++)
		if (heap_values[i] == value)
			return true;
	return false;
}

static void
write_sample(const struct row *row, enum value value, struct proto *sample)
{
	uint64_t amounts[HEAP_VALUES + 1];
	unsigned amount_count = 0;
	for (; amount_count < HEAP_VALUES; amount_count++)
		amounts[amount_count] = (uint64_t)row_value(row, heap_values[amount_count]);
	if (!is_heap_value(value))
		amounts[amount_count++] = (uint64_t)row_value(row, value);

	size_t count = row->depth ? row->depth : 1;
	uint64_t *locations = memory_get(count, sizeof(*locations));
	for (unsigned i = 0; i < row->depth; i++)
		locations[i] = frame_location(row->frames[i]);
	if (row->depth == 0)
		locations[0] = named_location(export_frames(row, &count)->name);
	proto_numbers(sample, SAMPLE_LOCATION_ID, locations, count);
	proto_numbers(sample, SAMPLE_VALUE, amounts, amount_count);
	proto_write(sample, PROFILE_SAMPLE, state.to);
	free(locations);
}

// Numbers the programs' modules first, because pprof takes the first mapping for the program.
static void
number_executables(const struct profile *profile)
{
	for (size_t i = 0; i < profile->run_count; i++) {
		const struct run *run = profile->runs[i].run;
		for (size_t k = 0; k < run->module_count; k++)
			if (strcmp(run->modules[k]->path, run->exe) == 0)
				mapping_id(run->modules[k]);
	}
}

static void
write_mappings(void)
{
	struct proto mapping = {0};

	ASSERT(state.mappings.count <= state.flags_room);
	for (size_t i = 0; i < state.mappings.count; i++) {
		const struct module *module = *(const struct module **)state.mappings.keys[i].bytes;
		const struct flags *flags = &state.flags[i];
		proto_number(&mapping, MAPPING_ID, i + 1);
		proto_number(&mapping, MAPPING_START, module->start);
		proto_number(&mapping, MAPPING_LIMIT, module->end);
		proto_number(&mapping, MAPPING_FILENAME, text_number(module->path));
		proto_number(&mapping, MAPPING_BUILD_ID, text_number(module->build_id));
		proto_number(&mapping, MAPPING_HAS_FUNCTIONS, true);
		proto_number(&mapping, MAPPING_HAS_FILENAMES, flags->filenames);
		proto_number(&mapping, MAPPING_HAS_LINE_NUMBERS, flags->line_numbers);
		proto_number(&mapping, MAPPING_HAS_INLINE_FRAMES, flags->inline_frames);
		proto_write(&mapping, PROFILE_MAPPING, state.to);
	}
	proto_free(&mapping);
}

// Adds the time, and a comment for each process. pprof prints the comments above its tables, and
// with -comments.
static void
add_origin(struct proto *rest, const struct profile *profile)
{
	uint64_t *comments = memory_get(profile->run_count, sizeof(*comments));
	int64_t start = 0, end = 0;

	for (size_t i = 0; i < profile->run_count; i++) {
		const struct profile_run *at = &profile->runs[i];
		char text[PLACE_MAX];
		snprintf(text, sizeof(text), "pmem: pid %ld, %s on %s, snapshot %" PRIu64, at->run->pid,
			at->run->exe, at->run->host, at->at.number);
		comments[i] = text_number(text);
		if (at->run->start_ms > 0 && (start == 0 || at->run->start_ms < start))
			start = at->run->start_ms;
		end = at->at.time_ms > end ? at->at.time_ms : end;
	}
	proto_number(rest, PROFILE_TIME_NANOS, (uint64_t)end * 1000000);
	if (start > 0 && end > start)
		proto_number(rest, PROFILE_DURATION_NANOS, (uint64_t)(end - start) * 1000000);
	proto_numbers(rest, PROFILE_COMMENT, comments, profile->run_count);
	free(comments);
}

// Adds a regular expression that matches the hooks' names, without parameters: pprof removes a
// name's parameters before it compares the name.
static void
add_drop_frames(struct proto *rest)
{
	struct compose expression;

	compose_begin(&expression);
	for (size_t i = 0; i < state.hooks.count; i++) {
		if (i > 0)
			fputc('|', expression.to);
		for (const char *at = state.hooks.keys[i].bytes; *at && *at != '('; at++)
			fprintf(expression.to, strchr("\\^$.|?*+)[]{}", *at) ? "\\%c" : "%c", *at);
	}
	char *text = compose_end(&expression);
	proto_number(rest, PROFILE_DROP_FRAMES, text_number(text));
	free(text);
}

static void
write_texts(void)
{
	for (size_t i = 0; i < state.texts.count; i++) {
		const struct intern_key *text = &state.texts.keys[i];
		struct proto message = {text->bytes, text->length, text->length};
		proto_write(&message, PROFILE_STRING_TABLE, state.to);
	}
}

// Returns the mean number of bytes between two samples, or 1 if all blocks are recorded. pprof need
// not scale the values: the library has scaled them already.
static uint64_t
period_of(const struct profile *profile)
{
	uint64_t period = 1;
	for (size_t i = 0; i < profile->run_count; i++)
		if (profile->runs[i].run->sampled > period)
			period = profile->runs[i].run->sampled;
	return period;
}

void
export_pprof(FILE *to, const struct export *what)
{
	struct proto sample = {0}, rest = {0};

	state.to = to;
	text_number("");
	for (unsigned i = 0; i < HEAP_VALUES; i++)
		add_value_type(PROFILE_SAMPLE_TYPE, heap_values[i]);
	if (!is_heap_value(what->value))
		add_value_type(PROFILE_SAMPLE_TYPE, what->value);

	number_executables(what->profile);
	for (size_t i = 0; i < what->profile->row_count; i++)
		write_sample(&what->profile->rows[i], what->value, &sample);
	write_mappings();

	// The period's type is "space", as in pprof's own heap profiles.
	proto_number(&sample, VALUE_TYPE_TYPE, text_number("space"));
	proto_number(&sample, VALUE_TYPE_UNIT, text_number("bytes"));
	proto_write(&sample, PROFILE_PERIOD_TYPE, to);
	proto_number(&rest, PROFILE_PERIOD, period_of(what->profile));
	proto_number(&rest, PROFILE_DEFAULT_SAMPLE_TYPE, text_number(sample_types[what->value]));
	add_origin(&rest, what->profile);
	add_drop_frames(&rest);
	fwrite(rest.bytes, 1, rest.length, to);
	write_texts();

	proto_free(&sample);
	proto_free(&rest);
	free(state.flags);
	state.flags = NULL;
	state.flags_room = 0;
	intern_free(&state.texts);
	intern_free(&state.functions);
	intern_free(&state.locations);
	intern_free(&state.mappings);
	intern_free(&state.hooks);
}
