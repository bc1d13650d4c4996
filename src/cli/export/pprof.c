// SPDX-License-Identifier: BSD-2-Clause
// Writes pprof's profile. Each source has the four values that are usual in heap profiles. With
// --value, the value asked for is the fifth unless it is one of these. pprof shows it by default.
// If the log is not sampled, counts are exact, and the period is one byte.
//
// A sample is of one process. Its labels are the process's pid and program, and the thread that
// allocated more than half of the source. What was allocated under labels of pmem_label() is not
// known by stack. So a log with such labels has one more value, and a sample of one frame for each
// label. Stacks have nothing of this value, so the other values add up as without it.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "export/export.h"
#include "export/gzip.h"
#include "export/pprof_tables.h"
#include "export/proto.h"

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
	ORIGIN_MAX = 4096 + 512, // a path, a host and numbers
};

static struct {
	FILE *to;
	enum value value;
	bool has_labels; // true if there is a value by label
} state;

static void
add_value_type(enum value value, const char *by)
{
	struct proto type = {0};
	char *name = memory_format("%s%s", sample_types[value], by);
	proto_number(&type, VALUE_TYPE_TYPE, pprof_text(name));
	proto_number(&type, VALUE_TYPE_UNIT, pprof_text(value_is_bytes(value) ? "bytes" : "count"));
	proto_write(&type, PROFILE_SAMPLE_TYPE, state.to);
	proto_free(&type);
	free(name);
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
add_label(struct proto *sample, const char *key, const char *text, uint64_t number)
{
	struct proto label = {0};

	if (!text && number == 0)
		return;
	proto_number(&label, LABEL_KEY, pprof_text(key));
	proto_number(&label, LABEL_STR, text ? pprof_text(text) : 0);
	proto_number(&label, LABEL_NUM, number);
	proto_bytes(sample, SAMPLE_LABEL, label.bytes, label.length);
	proto_free(&label);
}

static void
add_process(struct proto *sample, const struct run *run)
{
	const char *program = run_program(run);

	add_label(sample, "pid", NULL, (uint64_t)run->pid);
	add_label(sample, "program", program[0] ? program : NULL, 0);
}

static void
write_sample(const struct row *row, const struct run *run, struct proto *sample)
{
	uint64_t amounts[HEAP_VALUES + 2];
	unsigned amount_count = 0;
	for (; amount_count < HEAP_VALUES; amount_count++)
		amounts[amount_count] = (uint64_t)row_value(row, heap_values[amount_count]);
	if (!is_heap_value(state.value))
		amounts[amount_count++] = (uint64_t)row_value(row, state.value);
	if (state.has_labels)
		amounts[amount_count++] = 0;

	size_t count = row->depth ? row->depth : 1;
	uint64_t *locations = memory_get(count, sizeof(*locations));
	for (unsigned i = 0; i < row->depth; i++)
		locations[i] = pprof_frame(row->frames[i]);
	if (row->depth == 0)
		locations[0] = pprof_named(export_frames(row, &count)->name);
	proto_numbers(sample, SAMPLE_LOCATION_ID, locations, count);
	proto_numbers(sample, SAMPLE_VALUE, amounts, amount_count);
	add_process(sample, run);
	add_label(sample, "thread", row->by.name, 0);
	proto_write(sample, PROFILE_SAMPLE, state.to);
	free(locations);
}

// Writes what the process has under each of its labels.
static void
write_labels(const struct profile_run *of, struct proto *sample)
{
	const struct labels *labels = &of->at_moment->more->labels;

	for (size_t i = 0; i < labels->count; i++) {
		const char *name = labels->labels[i].name;
		struct row row = {.now = labels->labels[i].now};
		if (of->base_moment)
			row.before = moment_label(of->base_moment, name);
		uint64_t amounts[HEAP_VALUES + 2] = {0};
		unsigned last = HEAP_VALUES + !is_heap_value(state.value);
		amounts[last] = (uint64_t)row_value(&row, state.value);
		char *frame = memory_format("{label %s}", name);
		uint64_t location = pprof_named(frame);
		free(frame);
		proto_numbers(sample, SAMPLE_LOCATION_ID, &location, 1);
		proto_numbers(sample, SAMPLE_VALUE, amounts, last + 1);
		add_process(sample, of->run);
		add_label(sample, "label", name, 0);
		proto_write(sample, PROFILE_SAMPLE, state.to);
	}
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
		char text[ORIGIN_MAX];
		snprintf(text, sizeof(text), "pmem: pid %ld, %s on %s, snapshot %" PRIu64, at->run->pid,
			at->run->exe, at->run->host, at->at.number);
		comments[i] = pprof_text(text);
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

void
export_pprof(FILE *to, const struct export *what)
{
	struct proto sample = {0}, rest = {0};
	const struct profile *profile = what->profile;
	// The mean number of bytes between two samples, or 1 if all blocks are recorded. pprof need not
	// scale the values: the library has scaled them already.
	uint64_t period = 1;

	state.to = gzip_open(to);
	pprof_begin(state.to);
	state.value = what->value;
	state.has_labels = false;
	for (size_t i = 0; i < profile->run_count; i++) {
		const struct profile_run *of = &profile->runs[i];
		state.has_labels |= !what->is_part && of->at_moment->more->labels.count > 0;
		period = of->run->sampled > period ? of->run->sampled : period;
	}
	for (unsigned i = 0; i < HEAP_VALUES; i++)
		add_value_type(heap_values[i], "");
	if (!is_heap_value(what->value))
		add_value_type(what->value, "");
	if (state.has_labels)
		add_value_type(what->value, "_by_label");

	// The programs' modules come first, because pprof takes the first mapping for the program.
	for (size_t i = 0; i < profile->run_count; i++) {
		const struct run *run = profile->runs[i].run;
		for (size_t k = 0; k < run->module_count; k++)
			if (strcmp(run->modules[k]->path, run->exe) == 0)
				pprof_mapping(run->modules[k]);
	}
	for (size_t i = 0; i < profile->row_count; i++)
		write_sample(&profile->rows[i], profile->runs[profile->rows[i].process].run, &sample);
	for (size_t i = 0; i < profile->run_count && state.has_labels; i++)
		write_labels(&profile->runs[i], &sample);

	// The period's type is "space", as in pprof's own heap profiles.
	proto_number(&sample, VALUE_TYPE_TYPE, pprof_text("space"));
	proto_number(&sample, VALUE_TYPE_UNIT, pprof_text("bytes"));
	proto_write(&sample, PROFILE_PERIOD_TYPE, state.to);
	proto_number(&rest, PROFILE_PERIOD, period);
	proto_number(&rest, PROFILE_DEFAULT_SAMPLE_TYPE, pprof_text(sample_types[what->value]));
	add_origin(&rest, profile);
	char *hooks = pprof_hooks();
	proto_number(&rest, PROFILE_DROP_FRAMES, pprof_text(hooks));
	free(hooks);
	fwrite(rest.bytes, 1, rest.length, state.to);
	pprof_end();
	fclose(state.to);

	proto_free(&sample);
	proto_free(&rest);
}
