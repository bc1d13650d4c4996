// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <string.h>

#include "format.h"
#include "base/text.h"
#include "elf/module.h"
#include "heap/real.h"
#include "sources/stack_store.h"
#include "stacks/script_line.h"
#include "sources/source.h"
#include "names/symbol.h"
#include "log/trail.h"

enum { TRAIL_WORD_BYTES = 48 }; // upper bound of the characters in one caller's name

// A caller's name in the list of callers.
struct word {
	const char *name;
	size_t length;
	const struct module *file; // the frame's file if the frame has no function's name, else NULL
	uint64_t offset; // the frame's address in that file
};

// Returns the name of a frame: the function's, or if that is not known, the name of the frame's file.
static struct word
word_of(struct frame frame)
{
	const struct module *module = module_get(frame.module);
	struct symbol symbol;
	uint32_t length;

	if (script_line_is(frame.pc)) {
		const char *name = script_line_short(frame.pc, &length);
		return (struct word){name, length, NULL, 0};
	}
	if (symbol_get(frame, &symbol))
		return (struct word){symbol.name, symbol.name_length, NULL, 0};
	if (!module)
		return (struct word){0};
	struct word word = {module->name, module->name_length, module, frame.pc - module->base};
	for (const char *at = module->name; at < module->name + module->name_length; at++) {
		if (*at == '/') {
			word.name = at + 1;
			word.length = (size_t)(module->name + module->name_length - word.name);
		}
	}
	return word;
}

static bool
ends_in_script_line(const struct source *source)
{
	const struct frame *frame = source->frames;
	for (uint32_t i = 1; i < source->depth; i++)
		frame = stack_store_frame(frame) + 1;
	return script_line_is(stack_store_frame(frame)->pc);
}

static bool
starts_main(struct frame frame)
{
	static const char name[] = "__libc_start_main";
	struct symbol symbol;
	return symbol_get(frame, &symbol) && symbol.name_length == sizeof(name) - 1
		&& memcmp(symbol.name, name, sizeof(name) - 1) == 0;
}

// Returns how many of the source's innermost frames tell it from others. The frames outwards of
// these start a thread or main(), and are in all stacks.
static uint32_t
telling_frames(const struct source *source)
{
	const struct frame *frame = source->frames + 1;
	uint32_t end = 0; // of the frames read so far, those up to the last one outside the C library
	uint32_t end_of_main = 0; // of the frames inwards of __libc_start_main()

	for (uint32_t i = 1; i < source->depth; i++, frame++) {
		frame = stack_store_frame(frame);
		if (!real_is_in_libc(frame->pc))
			end = i + 1;
		else if (starts_main(*frame))
			end_of_main = end;
	}
	end = end_of_main > 0 ? end_of_main : end;
	return end > 0 ? end : source->depth;
}

// Writes one caller. A frame without a function's name gets its offset in the file. The file's name is
// left out behind a frame of the same file. Returns the bytes written, or 0 if the room is too small.
static size_t
write_word(struct text *text, const struct word *word, const struct word *last, size_t room)
{
	char bytes[24] = "";
	struct text offset = {.bytes = bytes, .size = sizeof(bytes)};
	bool is_same_file = word->file && word->file == last->file;
	bool is_cut = !is_same_file && word->length > TRAIL_WORD_BYTES;
	size_t length = is_same_file ? 0 : is_cut ? TRAIL_WORD_BYTES : word->length;

	if (word->file) {
		text_string(&offset, "+0x");
		text_hex(&offset, word->offset, 1);
	}
	size_t all = strlen(FORMAT_FROM) + length + offset.length;
	if (all > room)
		return 0;
	text_string(text, FORMAT_FROM);
	text_bytes(text, word->name, is_cut ? length - strlen(FORMAT_CUT) : length);
	text_string(text, is_cut ? FORMAT_CUT : "");
	text_bytes(text, bytes, offset.length);
	return all;
}

void
trail_write(struct text *text, const struct source *source)
{
	const struct frame *frame = source->frames + 1;
	struct word last = {0};
	size_t room = TRAIL_BYTES;
	bool has_script_lines = ends_in_script_line(source);
	uint32_t end = has_script_lines ? source->depth : telling_frames(source);

	for (uint32_t i = 1; i < end; i++, frame++) {
		frame = stack_store_frame(frame);
		// In a stack with script lines, the first name may be a native function's: the
		// interpreter's or a library's. Further native functions are left out, and where they are
		// in their files: they would help only the interpreter's developers.
		bool is_line = script_line_is(frame->pc);
		if (has_script_lines && last.name && !is_line)
			continue;
		struct word word = word_of(*frame);
		if (has_script_lines)
			word.file = NULL;
		// A function that calls itself is named once.
		if (!word.name || (word.name == last.name && word.offset == last.offset))
			continue;
		size_t bytes = write_word(text, &word, &last, room);
		if (bytes == 0)
			break;
		room -= bytes;
		last = word;
		if (!word.file && word.length == 4 && memcmp(word.name, "main", 4) == 0)
			break;
	}
}
