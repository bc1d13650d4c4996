// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/message.h"
#include "base/system.h"
#include "base/memory.h"
#include "symbols/module_file.h"
#include "symbols/symbolizer.h"
#include "symbols/symbols.h"

enum {
	// The library cuts long names before it writes them. So a longer name than this may have
	// been cut, and is not compared with a file's names.
	NAME_WHOLE_MAX = 240,
	TOLD_MAX = 3, // at most so many files are warned of that are not used
};

// The result for one address in a module's file.
struct cached {
	bool is_named;                // true once name() has been called for this address
	// The functions at the address. `count` may be 0 until name() is called.
	struct symbolized symbolized;
};

// Functions whose names are not demangled yet.
struct fresh {
	struct inline_call **calls;
	size_t count;
	size_t room;
};

static struct {
	bool raw;
	const char *sysroot;
	struct option_list debug_dirs;
} option;

const struct option symbols_options[] = {
	{.name = "raw", .kind = OPTION_FLAG, .to = &option.raw},
	{.name = "sysroot", .kind = OPTION_FOLDER, .to = &option.sysroot},
	{.name = "debug-dir", .kind = OPTION_FOLDERS, .to = &option.debug_dirs},
	{.name = NULL},
};

static struct {
	// Path of the first file that is missing, though a function without a name would be looked
	// up in it.
	const char *missing;
	size_t missing_count;
	bool told_missing;
	unsigned unused; // files that are not used
	bool told_no_tool;
	struct symbolized **logged; // made by take_log(), for frames that have no struct cached
	size_t logged_count;
	size_t logged_room;
} state;

static void
add_fresh(struct fresh *fresh, const struct symbolized *symbolized)
{
	for (unsigned i = 0; i < symbolized->count; i++) {
		fresh->calls = memory_grow(fresh->calls, fresh->count, &fresh->room,
			sizeof(*fresh->calls));
		fresh->calls[fresh->count++] = &symbolized->calls[i];
	}
}

static void
demangle_fresh(struct fresh *fresh)
{
	const char **names = memory_get(fresh->count, sizeof(*names));

	for (size_t i = 0; i < fresh->count; i++)
		names[i] = fresh->calls[i]->function;
	demangle(names, fresh->count);
	for (size_t i = 0; i < fresh->count; i++)
		fresh->calls[i]->function = names[i];
	free(names);
	free(fresh->calls);
}

// Sets the frame's `symbolized` to what the log has. That is the function's name, and for a line of
// source code also the file and line.
static void
take_log(struct frame *frame, struct fresh *fresh)
{
	struct symbolized *symbolized = memory_get(1, sizeof(*symbolized));

	symbolized->calls = memory_get(1, sizeof(*symbolized->calls));
	symbolized->calls[0] = (struct inline_call){.function = frame->function,
		.file = frame->language ? frame->file : "", .line = frame->line};
	symbolized->count = 1;
	frame->symbolized = symbolized;
	// A name from a perf map is shown unchanged. Any other name of the log must be demangled.
	if (fresh && frame->function[0] && !frame_is_code(frame))
		add_fresh(fresh, symbolized);
	// Like the results in `cached`, `symbolized` lives as long as our process: the list keeps it.
	state.logged = memory_grow(state.logged, state.logged_count, &state.logged_room,
		sizeof(*state.logged));
	state.logged[state.logged_count++] = symbolized;
}

static bool
has_range(const struct frame *frame)
{
	return frame->module->end > frame->module->start && frame->address >= frame->module->start
		&& frame->address <= frame->module->end;
}

static uint64_t
by_range(const struct module_file *file, const struct frame *frame)
{
	return frame->address - frame->module->start + file->start;
}

// Computes the frame's address in the module's file. Returns false if the log does not say enough
// for that.
static bool
find_address(const struct module_file *file, const struct frame *frame, uint64_t *address)
{
	if (!frame->function[0] && frame->offset > 0)
		*address = frame->offset;
	else if (has_range(frame))
		*address = by_range(file, frame);
	else if (!frame->function[0] || !file->symbols
		|| elfsym_named(file->symbols, frame->function, address) != 1)
		return false;
	else
		*address += frame->offset;
	if (!frame->is_hook)
		*address -= 1;
	return true;
}

// Returns false if the file contradicts the log: the file has the frame's function at another
// address. Returns true if file and log agree, or cannot be compared.
static bool
agrees(const struct module_file *file, const struct frame *frame)
{
	struct elfsym *symbols = file->symbols;
	uint64_t first;

	if (!frame->function[0])
		return frame->offset == 0 || !has_range(frame) || by_range(file, frame) == frame->offset;
	// In the log, C++ operators have demangled names, which cannot be compared with the file's.
	if (!symbols || strpbrk(frame->function, "( ") || strlen(frame->function) > NAME_WHOLE_MAX)
		return true;
	if (has_range(frame))
		return elfsym_has(symbols, frame->function, by_range(file, frame) - frame->offset);
	return elfsym_named(symbols, frame->function, &first) > 0;
}

static void
note_missing(const struct module_file *file)
{
	for (size_t i = 0; i < file->frame_count; i++) {
		if (file->frames[i]->function[0])
			continue;
		if (state.missing_count++ == 0)
			state.missing = file->path;
		return;
	}
}

// Warns that the file is not used, and why.
static void
warn_unused(const struct module_file *file, const char *why)
{
	if (state.unused++ < TOLD_MAX)
		warn("%s: not used: %s%s", file->path, why,
			state.unused == TOLD_MAX ? "; more like this is not told" : "");
}

static void
tell(struct module_file *file)
{
	// Our own library causes no warning, since its frames have names in the log.
	if (file->is_checked || path_is_library(file->path))
		return;
	file->is_checked = true;
	if (file->state == FILE_ANOTHER || file->state == FILE_BROKEN)
		warn_unused(file, file->why);
	if (file->state == FILE_MISSING)
		note_missing(file);
}

// Returns true if the file may be used for the frames of its module.
static bool
is_usable(struct module_file *file)
{
	tell(file);
	if (file->state != FILE_FOUND || file->is_refused)
		return false;
	for (size_t i = 0; i < file->frame_count && !file->build_id[0]; i++) {
		const struct frame *frame = file->frames[i];
		if (agrees(file, frame))
			continue;
		file->is_refused = true;
		char *why = memory_format("the log has no build-id of it, and %s+0x%" PRIx64
			" where this file has something else", frame->function, frame->offset);
		warn_unused(file, why);
		free(why);
		return false;
	}
	return true;
}

static int
by_address(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

// Looks up addresses of frames in file->frames, unless they were looked up before. Asks a tool for
// all these addresses at once.
static void
learn(struct module_file *file)
{
	struct symbolizer_file asked = {file->dwarf, file->dwarf_is_shared, file->symbols};
	uint64_t *addresses = memory_get(file->frame_count, sizeof(*addresses));
	size_t count = 0;

	for (size_t i = 0; i < file->frame_count; i++) {
		uint64_t address;
		bool is_new = false;
		if (find_address(file, file->frames[i], &address))
			intern_number(&file->addresses, &address, sizeof(address), &is_new);
		if (is_new)
			addresses[count++] = address;
	}
	struct symbolized *found = memory_get(count, sizeof(*found));
	qsort(addresses, count, sizeof(*addresses), by_address);
	if (count > 0 && file->dwarf && !symbolizer_ask(&asked, addresses, count, found)
		&& !state.told_no_tool) {
		state.told_no_tool = true;
		warn("none of llvm-symbolizer, addr2line and eu-addr2line is there and works: "
			"functions without lines, and none of the inlined");
	}
	file->cached = memory_room(file->cached, file->addresses.count, &file->cached_room,
		sizeof(*file->cached));
	for (size_t i = 0; i < count; i++) {
		size_t number = intern_find(&file->addresses, &addresses[i], sizeof(addresses[i]));
		file->cached[number] = memory_get(1, sizeof(**file->cached));
		file->cached[number]->symbolized = found[i];
	}
	free(found);
	free(addresses);
}

// Sets the name of the function that the code belongs to. The symbol table's name is preferred,
// then the tool's, then `logged`.
static void
name(const struct module_file *file, struct cached *cached, uint64_t address, const char *logged)
{
	struct symbolized *symbolized = &cached->symbolized;

	cached->is_named = true;
	if (symbolized->count == 0) {
		symbolized->calls = memory_get(1, sizeof(*symbolized->calls));
		symbolized->calls[0] = (struct inline_call){.function = "", .file = ""};
		symbolized->count = 1;
	}
	struct inline_call *outermost = &symbolized->calls[symbolized->count - 1];
	const char *known = file->symbols ? elfsym_at(file->symbols, address, logged) : NULL;
	if (known)
		outermost->function = known;
	else if (!outermost->function[0])
		outermost->function = logged;
	for (struct inline_call *call = symbolized->calls; call < outermost; call++)
		if (!call->function[0])
			call->function = "(inlined)";
}

static void
resolve_file(struct module_file *file, struct fresh *fresh)
{
	bool usable = is_usable(file);
	uint64_t address;

	if (usable)
		learn(file);
	for (size_t i = 0; i < file->frame_count; i++) {
		struct frame *frame = file->frames[i];
		if (frame->symbolized)
			continue;
		if (!usable || !find_address(file, frame, &address)) {
			take_log(frame, fresh);
			continue;
		}
		size_t number = intern_find(&file->addresses, &address, sizeof(address));
		ASSERT(number < file->addresses.count && file->cached[number]);
		struct cached *cached = file->cached[number];
		if (!cached->is_named) {
			name(file, cached, address, frame->function);
			add_fresh(fresh, &cached->symbolized);
		}
		frame->symbolized = &cached->symbolized;
	}
	file->frame_count = 0;
}

static void
tell_missing(void)
{
	char more[64] = "";

	if (state.missing_count == 0 || state.told_missing)
		return;
	state.told_missing = true;
	if (state.missing_count > 1)
		snprintf(more, sizeof(more), " and %zu more", state.missing_count - 1);
	warn("%s%s: not on this machine: functions there stay without a name; see --sysroot and "
		"--debug-dir", state.missing, more);
}

void
symbols_resolve(struct frame **frames, size_t count)
{
	struct debug_places places = {option.sysroot ? option.sysroot : "", option.debug_dirs.texts,
		option.debug_dirs.count};
	struct fresh fresh = {0};

	for (size_t i = 0; i < count; i++) {
		struct frame *frame = frames[i];
		if (frame->symbolized)
			continue;
		if (option.raw || !frame->module || (frame->is_hook && frame->function[0])) {
			take_log(frame, option.raw || frame->language ? NULL : &fresh);
			continue;
		}
		struct module_file *file = module_file(&places, frame->module);
		file->frames = memory_grow(file->frames, file->frame_count, &file->frame_room,
			sizeof(*file->frames));
		file->frames[file->frame_count++] = frame;
	}
	for (struct module_file *file = module_file_next(NULL); file; file = module_file_next(file))
		if (file->frame_count > 0)
			resolve_file(file, &fresh);
	tell_missing();
	demangle_fresh(&fresh);
	for (size_t i = 0; i < count; i++)
		ASSERT(frames[i]->symbolized && frames[i]->symbolized->count > 0);
}

void
symbols_want(struct symbols_wanted *wanted, struct frame *const *frames, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++) {
		if (frames[i]->symbolized)
			continue;
		wanted->frames = memory_grow(wanted->frames, wanted->count, &wanted->room,
			sizeof(*wanted->frames));
		wanted->frames[wanted->count++] = frames[i];
	}
}

void
symbols_resolve_wanted(struct symbols_wanted *wanted)
{
	symbols_resolve(wanted->frames, wanted->count);
	free(wanted->frames);
	*wanted = (struct symbols_wanted){0};
}

void
symbols_place(const struct frame *frame, char *text, size_t size)
{
	const struct module *module = frame->module;

	if (!module) {
		snprintf(text, size, "[0x%" PRIx64 "]", frame->address);
		return;
	}
	const char *name = path_last(module->path);
	if (!frame->function[0])
		snprintf(text, size, "%s(+0x%" PRIx64 ")", name, frame->offset);
	else
		snprintf(text, size, "%s(%s+0x%" PRIx64 ")", name, frame->function, frame->offset);
}
