// SPDX-License-Identifier: BSD-2-Clause
// Parses a frame's text in each of its forms (FORMAT.md).

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "log/run.h"

// If the text ends with ` [0xADDRESS]`, cuts this end off and returns true. Otherwise returns
// false.
static bool
cut_address(char *text, uint64_t *address)
{
	char *open = strrchr(text, '[');
	char *end;

	if (!open || strncmp(open, "[0x", 3) != 0)
		return false;
	uint64_t value = strtoull(open + 3, &end, 16);
	if (strcmp(end, "]") != 0)
		return false;
	while (open > text && open[-1] == ' ')
		open--;
	*open = '\0';
	*address = value;
	return true;
}

// Returns the parenthesis between module and symbol in MODULE(SYMBOL+0xOFFSET). Both parts may
// contain parentheses, as C++ symbols do. So the module at the address is looked up. If the text
// begins with its path, the parenthesis follows the path. A text that begins with a parenthesis has
// no module. The exception is "(program)", which stands for a program whose path could not be read.
static char *
find_parenthesis(struct run *run, char *text, uint64_t address)
{
	const struct module *module = address ? run_module_at(run, address) : NULL;
	size_t length = module ? strlen(module->path) : 0;
	if (address && text[0] == '(' && strncmp(text, "(program)(", strlen("(program)(")) != 0)
		return text;
	if (module && strncmp(text, module->path, length) == 0 && text[length] == '(')
		return text + length;
	// If the module is not known, takes the opening parenthesis that matches the text's last
	// parenthesis.
	unsigned depth = 0;
	for (char *at = text + strlen(text); at-- > text;) {
		depth += *at == ')';
		if (*at == '(' && depth > 0 && --depth == 0)
			return at;
	}
	return NULL;
}

void
run_moved(struct run *run, uint64_t address)
{
	size_t number = numbers_find(&run->code_addresses, address);

	if (number == NUMBERS_NONE)
		return;
	for (struct frame *frame = run->code[number]; frame; frame = frame->same) {
		frame->function = "";
		frame->symbolized = NULL;
	}
	// These frames have no names any more. So a later call need not find them again.
	run->code[number] = NULL;
}

// Remembers a frame of run-time code, so that run_moved() finds it by its address.
static void
remember_code(struct run *run, struct frame *frame)
{
	bool is_new;
	size_t number = numbers_of(&run->code_addresses, frame->address, &is_new);

	if (is_new) {
		run->code = memory_grow(run->code, number, &run->code_room, sizeof(*run->code));
		run->code[number] = NULL;
	}
	frame->same = run->code[number];
	run->code[number] = frame;
}

// Takes V8's mark out of the name, such as the '*' of JS:*f. It says how V8 compiled f, so JS:*f and
// JS:^f are one function.
static void
drop_mark(char *name)
{
	char *mark = strchr(name, ':');

	// In "RegExp:^foo" it is the expression's.
	if (mark && strncmp(name, "RegExp:", strlen("RegExp:")) != 0 && mark[1] && strchr("~^+*", mark[1]))
		memmove(mark + 1, mark + 2, strlen(mark + 1));
}

// Splits a frame's text into module, function and offset. Returns false if the text has no address.
static bool
split_frame(struct run *run, struct frame *frame, char *text)
{
	frame->function = "";
	bool has_address = cut_address(text, &frame->address);
	size_t length = strlen(text);
	char *open = find_parenthesis(run, text, frame->address);
	bool is_code = open == text;

	if (open && length > 0 && text[length - 1] == ')') {
		text[length - 1] = '\0';
		*open = '\0';
		line_unescape(text);
		frame->module = *text ? run_module_named(run, text, frame->address) : NULL;
		text = open + 1;
	}
	// libunwind writes the offset as a decimal number. All others write it with 0x.
	char *plus = strrchr(text, '+');
	if (plus) {
		frame->offset = strtoull(plus + 1, NULL, strncmp(plus, "+0x", 3) == 0 ? 16 : 10);
		*plus = '\0';
	}
	// `MODULE()` has no symbol. A text without parentheses that has a slash is a module's path.
	if (!frame->module && !is_code && frame->address && strchr(text, '/')) {
		frame->module = run_module_named(run, text, frame->address);
		return true;
	}
	line_unescape(text);
	if (is_code)
		drop_mark(text);
	frame->function = arena_text(run->arena, text, strlen(text));
	return has_address;
}

static bool
split_script(struct run *run, struct frame *frame, char *text)
{
	struct script_line script;
	bool is_whole = line_parse_script(&script, text);

	frame->language = arena_text(run->arena, script.language, strlen(script.language));
	frame->file = arena_text(run->arena, script.path, strlen(script.path));
	frame->function = arena_text(run->arena, script.function, strlen(script.function));
	frame->line = script.line;
	return is_whole;
}

// In frame_texts, a frame's key is the frame's text plus one byte: 1 for a hook, else 0.
bool
run_frame_is(const struct run *run, const struct frame *frame, const char *text)
{
	const struct intern_key *key = &run->frame_texts.keys[frame->number];
	if (!frame->is_hook)
		return strcmp(key->bytes, text) == 0;
	return strncmp(key->bytes, text, key->length - 1) == 0 && !text[key->length - 1];
}

struct frame *
run_frame(struct run *run, char *text, bool is_hook, bool *is_damaged)
{
	size_t length = strlen(text);
	bool is_new;

	*is_damaged = false;
	text[length] = is_hook;
	size_t number = intern_number(&run->frame_texts, text, length + 1, &is_new);
	text[length] = '\0';
	if (!is_new)
		return run->frames[number];
	struct frame *made = arena_get(run->arena, sizeof(*made));
	made->is_hook = is_hook;
	made->number = (unsigned)number;
	bool is_whole = line_is_script(text) ? split_script(run, made, text)
		: split_frame(run, made, text) || run->is_seeds;
	*is_damaged = !is_whole;
	if (frame_is_code(made))
		remember_code(run, made);
	ASSERT(number == run->frame_count);
	run->frames = memory_grow(run->frames, number, &run->frame_room, sizeof(*run->frames));
	run->frames[run->frame_count++] = made;
	return made;
}
