// SPDX-License-Identifier: BSD-2-Clause

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/unit.h"
#include "base/options.h"

enum {
	WORD_MAX = 32,
	SLIPS_MAX = 2,
};

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

// Returns the number of slips between two words: their Damerau-Levenshtein distance, in the variant
// where swapped letters are not changed again. rows[i][j] is the distance between the first i
// letters of `a` and the first j of `b`.
static unsigned
slips_between(const char *a, const char *b)
{
	size_t a_length = strlen(a);
	size_t b_length = strlen(b);
	unsigned rows[WORD_MAX + 1][WORD_MAX + 1];

	if (a_length > WORD_MAX || b_length > WORD_MAX)
		return WORD_MAX;
	for (size_t i = 0; i <= a_length; i++) {
		for (size_t j = 0; j <= b_length; j++) {
			if (i == 0 || j == 0) {
				rows[i][j] = (unsigned)(i + j);
				continue;
			}
			unsigned slips = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			slips = least(slips, least(rows[i - 1][j], rows[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				slips = least(slips, rows[i - 2][j - 2] + 1);
			rows[i][j] = slips;
		}
	}
	return rows[a_length][b_length];
}

void
nearest_try(struct nearest *nearest, const char *written, const char *word)
{
	unsigned slips = slips_between(written, word);

	// For a short word fewer slips are allowed, since two slips turn a short word into almost
	// any other.
	if (slips > SLIPS_MAX || slips * 2 > strlen(word))
		return;
	if (nearest->word && nearest->slips <= slips)
		return;
	nearest->word = word;
	nearest->slips = slips;
}

enum {
	LIST_BYTES = 512, // room for a list of words in a message
	NAME_BYTES = 64,  // room for an option's name as the user wrote it, without a value
};

struct parser {
	const char *subcommand;
	const struct option *const *tables;
	char **next; // the next argument to parse
	char **end;
};

void
options_refuse(const char *subcommand, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = memory_format_list(format, arguments);
	va_end(arguments);
	die(EXIT_USAGE, "%s: %s; see 'pmem help %s'", subcommand, text, subcommand);
}

static _Noreturn void
refuse(const struct parser *parser, const char *option, const char *why)
{
	options_refuse(parser->subcommand, "%s: %s", option, why);
}

// Adds a word to a list "a, b, c", if there is room.
static void
list_add(char list[LIST_BYTES], const char *prefix, const char *word)
{
	size_t length = strlen(list);

	snprintf(list + length, LIST_BYTES - length, "%s%s%s", length ? ", " : "", prefix, word);
}

const struct option *
options_get(const struct option *const *tables, size_t number)
{
	for (; *tables; tables++)
		for (const struct option *option = *tables; option->name; option++)
			if (number-- == 0)
				return option;
	return NULL;
}

static _Noreturn void
refuse_name(const struct parser *parser, const char *written, const char *name)
{
	char why[LIST_BYTES] = "no such option";
	struct nearest nearest = {0};
	const struct option *option;
	const char *dashes = "--";

	for (size_t i = 0; (option = options_get(parser->tables, i)); i++) {
		nearest_try(&nearest, name, option->name);
		if (!name[0] || name[1] || option->letter != name[0])
			continue;
		nearest = (struct nearest){.word = name};
		dashes = "-";
	}
	if (nearest.word)
		snprintf(why, sizeof(why), "no such option, did you mean %s%s?", dashes, nearest.word);
	refuse(parser, written, why);
}

// Returns the option with this name, or else the only option whose name begins with `name`. Ends
// the process if no option or more than one is found.
static const struct option *
find_name(const struct parser *parser, const char *name, size_t length)
{
	const struct option *option;
	const struct option *found = NULL;
	unsigned matches = 0;
	char list[LIST_BYTES] = "";
	char written[NAME_BYTES];
	char why[LIST_BYTES + NAME_BYTES];

	for (size_t i = 0; (option = options_get(parser->tables, i)); i++) {
		if (strncmp(option->name, name, length) != 0)
			continue;
		if (option->name[length] == '\0')
			return option;
		found = option;
		matches++;
		list_add(list, "--", option->name);
	}
	snprintf(written, sizeof(written), "--%.*s", (int)length, name);
	if (matches == 0 || length == 0)
		refuse_name(parser, written, written + 2);
	snprintf(why, sizeof(why), "may be any of %s", list);
	if (matches > 1)
		refuse(parser, written, why);
	return found;
}

static const struct option *
find_letter(const struct parser *parser, char letter)
{
	const struct option *option;

	for (size_t i = 0; (option = options_get(parser->tables, i)); i++)
		if (option->letter == letter)
			return option;
	char written[] = {'-', letter, '\0'};
	refuse(parser, written, "no such option");
}

static bool
set_word(const struct option *option, int *to, const char *value)
{
	for (int i = 0; option->words[i]; i++) {
		if (strcmp(option->words[i], value) == 0) {
			*to = i;
			return true;
		}
	}
	return false;
}

static bool
set_list(struct option_list *list, const char *value)
{
	list->texts = memory_grow(list->texts, list->count, &list->room, sizeof(*list->texts));
	list->texts[list->count++] = value;
	return true;
}

// Stores the option's value. Returns false if the value is not valid.
static bool
set(const struct option *option, const char *value)
{
	struct moment_or_word *both = option->to;

	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)option->to = true;
		return true;
	case OPTION_TEXT:
		*(const char **)option->to = value;
		return true;
	case OPTION_NUMBER:
		return unit_parse_number(option->to, value);
	case OPTION_BYTES:
		return unit_parse_bytes(option->to, value);
	case OPTION_DURATION:
		return unit_parse_duration(option->to, value);
	case OPTION_PERCENT:
		return unit_parse_percent(option->to, value);
	case OPTION_WORD:
		return set_word(option, option->to, value);
	case OPTION_MOMENT:
		return moment_parse(option->to, value, clock_ms(CLOCK_REALTIME));
	case OPTION_MOMENT_OR_WORD:
		return set_word(option, &both->word, value)
			|| moment_parse(&both->moment, value, clock_ms(CLOCK_REALTIME));
	case OPTION_FOLDER:
		*(const char **)option->to = value;
		return path_is_folder(value);
	case OPTION_LIST:
		return set_list(option->to, value);
	case OPTION_FOLDERS:
		return path_is_folder(value) && set_list(option->to, value);
	}
	return false;
}

static void
say_expected(char why[LIST_BYTES], const struct option *option)
{
	static const char *const kinds[] = {
		[OPTION_FLAG] = "no value",
		[OPTION_TEXT] = "a text",
		[OPTION_LIST] = "a text",
		[OPTION_FOLDER] = "a directory",
		[OPTION_FOLDERS] = "a directory",
		[OPTION_NUMBER] = "a number",
		[OPTION_BYTES] = "a size such as 4096, 64K or 1.5MiB",
		[OPTION_DURATION] = "a duration such as 90, 90s, 5m, 1.5h or 2d",
		[OPTION_PERCENT] = "0 to 100",
		[OPTION_MOMENT] = MOMENT_FORMS,
	};

	if (!option->words) {
		snprintf(why, LIST_BYTES, "expected %s", kinds[option->kind]);
		return;
	}
	char list[LIST_BYTES] = "";
	for (int i = 0; option->words[i]; i++)
		list_add(list, "", option->words[i]);
	snprintf(why, LIST_BYTES, "expected one of %.*s%s", LIST_BYTES / 2, list,
		option->kind == OPTION_WORD ? "" : ", or " MOMENT_FORMS);
}

// Sets an option, which the user wrote as `written`. If `value` is NULL, the next argument is the
// value.
static void
take(struct parser *parser, const struct option *option, const char *written, const char *value)
{
	char why[LIST_BYTES];

	if (!value && parser->next == parser->end)
		refuse(parser, written, "needs a value");
	if (!value)
		value = *parser->next++;
	if (set(option, value))
		return;
	say_expected(why, option);
	options_refuse(parser->subcommand, "%s %s: %s", written, *value ? value : "''", why);
}

static void
take_name(struct parser *parser, const char *name)
{
	size_t length = strcspn(name, "=");
	const struct option *option = find_name(parser, name, length);
	const char *value = name[length] ? name + length + 1 : NULL;
	char written[NAME_BYTES];

	snprintf(written, sizeof(written), "--%s", option->name);
	if (option->kind != OPTION_FLAG)
		take(parser, option, written, value);
	else if (value)
		refuse(parser, written, "takes no value");
	else
		set(option, NULL);
}

static void
take_letters(struct parser *parser, const char *letters)
{
	for (; *letters; letters++) {
		const struct option *option = find_letter(parser, *letters);
		char written[] = {'-', *letters, '\0'};
		if (option->kind != OPTION_FLAG) {
			take(parser, option, written, letters[1] ? letters + 1 : NULL);
			return;
		}
		set(option, NULL);
	}
}

static char **
parse(int argc, char **argv, const struct option *const *tables, bool mixed)
{
	struct parser parser = {argv[0], tables, argv + 1, argv + argc};
	// The operands are moved to the beginning of argv. Operands never overwrite an argument that
	// was not parsed yet.
	char **operands = argv + 1;
	size_t count = 0;
	bool ended = false;

	while (parser.next < parser.end) {
		char *argument = *parser.next++;
		if (ended || argument[0] != '-' || !argument[1]) {
			// A single dash means standard input, and is an operand.
			operands[count++] = argument;
			ended = ended || !mixed;
		} else if (strcmp(argument, "--") == 0) {
			ended = true;
		} else if (argument[1] == '-') {
			take_name(&parser, argument + 2);
		} else {
			take_letters(&parser, argument + 1);
		}
	}
	operands[count] = NULL;
	return operands;
}

char **
options_parse(int argc, char **argv, const struct option *const *tables)
{
	return parse(argc, argv, tables, true);
}

char **
options_parse_first(int argc, char **argv, const struct option *const *tables)
{
	return parse(argc, argv, tables, false);
}
