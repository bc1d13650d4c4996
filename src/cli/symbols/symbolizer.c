// SPDX-License-Identifier: BSD-2-Clause

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/message.h"
#include "base/memory.h"
#include "base/tool.h"
#include "symbols/tool_process.h"
#include "symbols/symbolizer.h"

enum {
	ARGUMENTS_MAX = 8,
	// Deeply inlined templates take tens of kilobytes.
	OUTPUT_MAX = 1 << 26,
	OUTPUT_PER_ADDRESS = 1 << 16,
	// How many more failures than answers a tool may have. One file may make a tool fail, which
	// must not stop it for all other files. A tool that hangs is too slow for that.
	FAILURES_MORE = 2,
};

struct kind {
	const char *program;
	const char *arguments[ARGUMENTS_MAX]; // the file's path follows the last, without a blank
	bool has_columns;                     // FILE:LINE:COLUMN
	// The innermost inlined function may have no linkage name (a static function of C++). Then
	// binutils gives the name of the function around it.
	bool confuses_innermost;
	// Follows .gnu_debugaltlink. Without that llvm-symbolizer 14 has lines, but few names.
	bool follows_shared;
};

// Measured with 10,000 addresses of python3.11 and its debug file: 0.3 s, 0.4 s, 3.5 s. With node,
// which has DWARF for a part of it and 100,000 symbols: 0.1 s, 6.7 s, 18 s.
static const struct kind tools[] = {
	{"llvm-symbolizer", {"--addresses", "--inlines", "--no-demangle", "--output-style=GNU",
		"--obj="}, false, false, false},
	{"addr2line", {"-a", "-f", "-i", "-e"}, false, true, true},
	{"eu-addr2line", {"-a", "-f", "-i", "-e"}, true, false, true},
};

enum { TOOLS = sizeof(tools) / sizeof(tools[0]) };

static struct {
	bool is_sought;
	char *path; // NULL if not installed
	unsigned answers;
	unsigned failures;
	bool is_told; // true if its failure was reported
} state[TOOLS];

// The tools' outputs, which are never freed: functions and files point into them.
static struct {
	char **outputs;
	size_t count;
	size_t room;
} kept;

// The tool's answer as it is read.
struct reader {
	char *at;
	char *end;
	bool has_columns;
	struct inline_call *calls; // of the current address
	size_t room;
};

// Returns NULL at the end. A line without a newline does not count.
static char *
next_line(struct reader *reader)
{
	char *line = reader->at;
	char *end = memchr(line, '\n', (size_t)(reader->end - line));

	if (!end)
		return NULL;
	*end = '\0';
	reader->at = end + 1;
	return line;
}

static bool
is_address(const char *line, uint64_t address)
{
	char *end;
	return strncmp(line, "0x", 2) == 0 && strtoull(line + 2, &end, 16) == address && !*end;
}

// Cuts ":NUMBER" or ":?" off the text's end.
static bool
cut_number(char *text, unsigned *number)
{
	char *colon = strrchr(text, ':');
	char *end;

	if (!colon)
		return false;
	unsigned long value = strtoul(colon + 1, &end, 10);
	if (strcmp(colon + 1, "?") == 0)
		value = 0;
	else if (end == colon + 1 || *end || colon[1] == '-' || value > 1u << 30)
		return false;
	*number = (unsigned)value;
	*colon = '\0';
	return true;
}

// Parses FILE:LINE, maybe with a column, maybe with " (discriminator N)".
static bool
read_place(char *line, bool has_columns, struct inline_call *call)
{
	char *more = strstr(line, " (discriminator ");
	unsigned number;

	if (more && line[strlen(line) - 1] == ')')
		*more = '\0';
	if (!cut_number(line, &call->line))
		return false;
	// Without a column there is no second number.
	if (has_columns && cut_number(line, &number))
		call->line = number;
	bool known = line[0] && strcmp(line, "??") != 0;
	call->file = known ? line : "";
	if (!known)
		call->line = 0;
	return true;
}

static bool
read_call(struct reader *reader, char *function, size_t count)
{
	reader->calls = memory_grow(reader->calls, count, &reader->room, sizeof(*reader->calls));
	struct inline_call *call = &reader->calls[count];
	char *place = next_line(reader);

	if (!place || !read_place(place, reader->has_columns, call))
		return false;
	// elfutils adds this text to the name; the next call says the same.
	char *more = strstr(function, " inlined at ");
	if (more)
		*more = '\0';
	bool known = function[0] && strcmp(function, "??") != 0;
	call->function = known ? function : "";
	return true;
}

// Reads the calls of an address, up to the line of the next address. *line is that line, or NULL at
// the end.
static bool
read_answer(struct reader *reader, char **line, const uint64_t *next, struct symbolized *answer)
{
	size_t count = 0;

	for (*line = next_line(reader); *line; *line = next_line(reader)) {
		if (count > 0 && next && is_address(*line, *next))
			break;
		if (!read_call(reader, *line, count))
			return false;
		count++;
	}
	// An answer without a place comes from the symbol table, which we read more strictly. Tools
	// also accept a function that ended before the address.
	if (count == 0 || (count == 1 && !reader->calls[0].file[0]))
		return count == 1;
	answer->calls = memory_get(count, sizeof(*answer->calls));
	memcpy(answer->calls, reader->calls, count * sizeof(*answer->calls));
	answer->count = (unsigned)count;
	return true;
}

static bool
read_answers(const struct kind *kind, const struct tool_process *tool, const uint64_t *addresses,
	size_t count, struct symbolized *answers)
{
	ASSERT(count > 0);
	struct reader reader = {
		.at = tool->output,
		.end = tool->output + tool->output_bytes,
		.has_columns = kind->has_columns,
	};
	bool is_text = !memchr(tool->output, '\0', tool->output_bytes);
	char *line = next_line(&reader);
	bool good = is_text && line && is_address(line, addresses[0]);

	for (size_t i = 0; i < count && good; i++) {
		const uint64_t *next = i + 1 < count ? &addresses[i + 1] : NULL;
		good = read_answer(&reader, &line, next, &answers[i]) && !line == !next;
	}
	free(reader.calls);
	return good && reader.at == reader.end;
}

// Returns the file's directory, and its bare name. With a path binutils would put the directory
// before the path of the shared file, and not find it. The caller frees the result.
static char *
directory_of(const struct symbolizer_file *file, const char **name)
{
	*name = strrchr(file->path, '/') + 1;
	return memory_text(file->path, (size_t)(*name - file->path));
}

static bool
ask(const struct kind *kind, const char *program, const struct symbolizer_file *file,
	const uint64_t *addresses, size_t count, struct symbolized *answers, char why[64])
{
	const char *arguments[ARGUMENTS_MAX + 3] = {kind->program};
	const char *name = file->path;
	char *dir = file->is_shared ? directory_of(file, &name) : NULL;
	char *input = memory_get(count, 20);
	size_t last = 0;

	while (last + 1 < ARGUMENTS_MAX && kind->arguments[last + 1])
		last++;
	memcpy(arguments + 1, kind->arguments, (last + 1) * sizeof(*arguments));
	char *argument = memory_format("%s%s", kind->arguments[last], name);
	arguments[last + 1] = argument;
	char *end = input;
	for (size_t i = 0; i < count; i++)
		end += sprintf(end, "0x%llx\n", (unsigned long long)addresses[i]);
	struct tool_process tool = {
		.path = program,
		.arguments = arguments,
		.dir = dir,
		.input = input,
		.input_bytes = (size_t)(end - input),
		.output_max = OUTPUT_MAX + count * OUTPUT_PER_ADDRESS,
	};
	bool ran = tool_run(&tool);
	bool good = ran && read_answers(kind, &tool, addresses, count, answers);
	if (tool.hung)
		state[kind - tools].failures += FAILURES_MORE;
	snprintf(why, 64, "%s", ran ? "its answer makes no sense" : tool.why);
	if (good) {
		kept.outputs = memory_grow(kept.outputs, kept.count, &kept.room, sizeof(*kept.outputs));
		kept.outputs[kept.count++] = tool.output;
	} else {
		free(tool.output);
	}
	free(argument);
	free(input);
	free(dir);
	return good;
}

static void
forget_confused(const struct elfsym *symbols, const uint64_t *addresses, size_t count,
	struct symbolized *answers)
{
	for (size_t i = 0; i < count; i++) {
		const char *innermost = answers[i].count > 1 ? answers[i].calls[0].function : "";
		const char *around = elfsym_at(symbols, addresses[i], innermost);
		// In C a function can be inlined in a part of itself.
		if (around && strncmp(around, "_Z", 2) == 0 && strcmp(innermost, around) == 0)
			answers[i].calls[0].function = "";
	}
}

// Returns NULL if the tool is not installed, or has failed too often.
static const char *
program_of(size_t tool)
{
	if (!state[tool].is_sought)
		state[tool].path = tool_find(tools[tool].program);
	state[tool].is_sought = true;
	return state[tool].failures > state[tool].answers + FAILURES_MORE ? NULL : state[tool].path;
}

static bool
ask_one(size_t tool, const struct symbolizer_file *file, const uint64_t *addresses,
	size_t count, struct symbolized *answers)
{
	char why[64];
	const char *program = program_of(tool);

	if (!program)
		return false;
	if (ask(&tools[tool], program, file, addresses, count, answers, why)) {
		state[tool].answers++;
		if (tools[tool].confuses_innermost && file->symbols)
			forget_confused(file->symbols, addresses, count, answers);
		return true;
	}
	state[tool].failures++;
	if (!state[tool].is_told)
		warn("%s: of %s: %s", program, file->path, why);
	state[tool].is_told = true;
	for (size_t i = 0; i < count; i++)
		free(answers[i].calls);
	memset(answers, 0, count * sizeof(*answers));
	return false;
}

bool
symbolizer_ask(const struct symbolizer_file *file, const uint64_t *addresses, size_t count,
	struct symbolized *answers)
{
	// First the tools that follow shared DWARF if needed, then those that have at least the lines.
	for (int fit = 1; fit >= 0; fit--) {
		for (size_t i = 0; i < TOOLS; i++) {
			bool is_fit = !file->is_shared || tools[i].follows_shared;
			if (is_fit == fit && ask_one(i, file, addresses, count, answers))
				return true;
		}
	}
	return false;
}
