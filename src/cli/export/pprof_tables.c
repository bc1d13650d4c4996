// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/plain.h"
#include "symbols/symbols.h"
#include "export/pprof_tables.h"
#include "export/proto.h"

enum { PLACE_MAX = 4096 + 32 }; // a path and an offset

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

void
pprof_begin(FILE *to)
{
	state.to = to;
	pprof_text("");
}

uint64_t
pprof_text(const char *text)
{
	return intern_text(&state.texts, utf8_plain(text));
}

uint64_t
pprof_mapping(const struct module *module)
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
	uint64_t key[] = {pprof_text(name), pprof_text(system_name), pprof_text(file)};
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
		// All functions but the last are inlined into the last function. Its system name is the
		// linker's name, from the log. Inlined functions get no system name. If it were the same as
		// the name, pprof would strip types and parameters from the name.
		const char *system_name = i == last && !frame->language ? frame->function : "";
		add_line(location, function_id(name, system_name, call->file), call->line);
		if (frame->is_hook && i == last)
			intern_text(&state.hooks, utf8_plain(name));
		flags->filenames |= call->file[0] != '\0';
		flags->line_numbers |= call->line > 0;
	}
	flags->inline_frames |= last > 0;
}

uint64_t
pprof_frame(const struct frame *frame)
{
	bool is_new;
	uint64_t id = intern_number(&state.locations, &frame, sizeof(frame), &is_new) + 1;
	if (!is_new)
		return id;

	struct proto location = {0};
	struct flags none = {0};
	uint64_t mapping = pprof_mapping(frame->module);
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

uint64_t
pprof_named(const char *name)
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

char *
pprof_hooks(void)
{
	struct compose expression;

	compose_begin(&expression);
	for (size_t i = 0; i < state.hooks.count; i++) {
		if (i > 0)
			fputc('|', expression.to);
		for (const char *at = state.hooks.keys[i].bytes; *at && *at != '('; at++)
			fprintf(expression.to, strchr("\\^$.|?*+)[]{}", *at) ? "\\%c" : "%c", *at);
	}
	return compose_end(&expression);
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
		proto_number(&mapping, MAPPING_FILENAME, pprof_text(module->path));
		proto_number(&mapping, MAPPING_BUILD_ID, pprof_text(module->build_id));
		proto_number(&mapping, MAPPING_HAS_FUNCTIONS, true);
		proto_number(&mapping, MAPPING_HAS_FILENAMES, flags->filenames);
		proto_number(&mapping, MAPPING_HAS_LINE_NUMBERS, flags->line_numbers);
		proto_number(&mapping, MAPPING_HAS_INLINE_FRAMES, flags->inline_frames);
		proto_write(&mapping, PROFILE_MAPPING, state.to);
	}
	proto_free(&mapping);
}

void
pprof_end(void)
{
	write_mappings();
	for (size_t i = 0; i < state.texts.count; i++) {
		const struct intern_key *text = &state.texts.keys[i];
		struct proto message = {text->bytes, text->length, text->length};
		proto_write(&message, PROFILE_STRING_TABLE, state.to);
	}
	free(state.flags);
	state.flags = NULL;
	state.flags_room = 0;
	intern_free(&state.texts);
	intern_free(&state.functions);
	intern_free(&state.locations);
	intern_free(&state.mappings);
	intern_free(&state.hooks);
}
