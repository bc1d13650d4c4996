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
	// Upper limit for a tool's output: OUTPUT_MAX, plus OUTPUT_PER_ADDRESS for each address.
	// Deeply inlined templates take tens of kilobytes for an address.
	OUTPUT_MAX = 1 << 26,
	OUTPUT_PER_ADDRESS = 1 << 16,
	// A tool is no longer used once its failures exceed its answers by more than this number. A few
	// failures are allowed, since a tool may fail for one file and still work for others. When a
	// tool hangs, this number is added to its failures.
	FAILURES_MORE = 2,
};

struct kind {
	const char *program;
	const char *arguments[ARGUMENTS_MAX]; // the file's path follows the last argument directly
	bool has_columns;                     // true if the tool writes a place as FILE:LINE:COLUMN
	// True for binutils. The innermost inlined function may have no linkage name in DWARF:
	// static functions of C++ have none. Then the tool gives the name of the function around it
	// instead.
	bool confuses_innermost;
	// True if the tool reads the shared file of DWARF (.gnu_debugaltlink). llvm-symbolizer 14 does
	// not read it, and then gives lines, but few names.
	bool follows_shared;
};

// The fastest tool is first. 10,000 addresses of python3.11 and its debug file took 0.3 s, 0.4 s
// and 3.5 s, in the order of this table. Addresses of node, which has 100,000 symbols and only some
// DWARF, took 0.1 s, 6.7 s and 18 s.
static const struct kind tools[] = {
	{"llvm-symbolizer", {"--addresses", "--inlines", "--no-demangle", "--output-style=GNU",
		"--obj="}, false, false, false},
	{"addr2line", {"-a", "-f", "-i", "-e"}, false, true, true},
	{"eu-addr2line", {"-a", "-f", "-i", "-e"}, true, false, true},
};

enum { TOOLS = sizeof(tools) / sizeof(tools[0]) };

static struct {
	bool is_sought;
	char *path; // NULL if the tool is not installed
	unsigned answers;
	unsigned failures;
	bool is_told; // true if a failure of this tool was reported
} state[TOOLS];

// All outputs of tools. They are never freed, because the texts of each struct inline_call point
// into them.
static struct {
	char **outputs;
	size_t count;
	size_t room;
} kept;

// Reads a tool's output.
struct reader {
	char *at;
	char *end;
	bool has_columns;
	struct inline_call *calls; // the functions of the address that is being read
	size_t room;
};

// Returns the next line, or NULL at the end. A last line without a newline was cut off, and is not
// returned.
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

// Cuts ":NUMBER" or ":?" off the end of the text, and sets *number (0 for ":?"). Returns false if
// the text has another end.
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

// Parses FILE:LINE or FILE:LINE:COLUMN, which " (discriminator N)" may follow.
static bool
read_place(char *line, bool has_columns, struct inline_call *call)
{
	char *more = strstr(line, " (discriminator ");
	unsigned number;

	if (more && line[strlen(line) - 1] == ')')
		*more = '\0';
	if (!cut_number(line, &call->line))
		return false;
	// With a column, the number that was cut first is the column, and the second number is the
	// line.
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
	// elfutils adds " inlined at FILE:LINE" to the name. It is cut off, since the FILE:LINE of the
	// next function is the same.
	char *more = strstr(function, " inlined at ");
	if (more)
		*more = '\0';
	bool known = function[0] && strcmp(function, "??") != 0;
	call->function = known ? function : "";
	return true;
}

// Reads the functions of an address, up to the line with the next address. Sets *line to that line,
// or to NULL at the end of the output. Returns false if the output cannot be right.
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
	// If an answer has one function and no file, the tool took it from the ELF file's symbol table.
	// It is dropped, since elfsym.h reads that table more strictly: tools also accept a function
	// that ends before the address.
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

// Returns the file's directory, and sets *name to the file's name there. The tool is run in that
// directory and given the name alone. If the tool were given a path, binutils would not find the
// shared file of DWARF. binutils puts the path's directory before the shared file's directory. The
// caller frees the result.
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
		// If the names are equal, the tool named the innermost function like the function
		// around it. In C++ this name is wrong, and is dropped. In C it may be right: a
		// function can be inlined into a part that was split off from itself.
		if (around && strncmp(around, "_Z", 2) == 0 && strcmp(innermost, around) == 0)
			answers[i].calls[0].function = "";
	}
}

// Returns the tool's path. Returns NULL if the tool is not installed, or has failed too often.
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
	// If a part of the file's DWARF is in a shared file, tools that read such files are asked
	// first. If these tools fail, the other tools are asked, which give at least lines.
	for (int fit = 1; fit >= 0; fit--) {
		for (size_t i = 0; i < TOOLS; i++) {
			bool is_fit = !file->is_shared || tools[i].follows_shared;
			if (is_fit == fit && ask_one(i, file, addresses, count, answers))
				return true;
		}
	}
	return false;
}
