// SPDX-License-Identifier: BSD-2-Clause
// Writes a log as a log: its pieces are joined, and with is_anonymous its words have stand-ins.
//
// With is_anonymous a field stays if its value is a number, a time or a known word. Names get stand-ins,
// other fields go. Names of functions stay, so that the copy is judged as the log is.

#include <string.h>

#include "format.h"
#include "log/input.h"
#include "log/lexer.h"
#include "export/anonymous.h"
#include "export/export.h"

static const char digits[] = "0123456789";
static const char hex_digits[] = "0123456789abcdef";
// The characters of numbers, times and percentages.
static const char plain[] = "0123456789.,:/@%-TZ";

static bool
is_of(const char *text, size_t length, const char *characters)
{
	return strspn(text, characters) >= length;
}

// Returns the length of a name in small letters at the text's beginning.
static size_t
name_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz_");
}

// Returns the value if the field is NAME=VALUE, else NULL.
static const char *
value_of(const char *field, const char *name)
{
	size_t length = strlen(name);
	return begins(field, name) && field[length] == '=' ? field + length + 1 : NULL;
}

static bool
is_known_reason(const char *reason, size_t length)
{
	static const char known[] = " churn exit signal first look peak rss sandbox asked reset ";
	const char *found = memmem(known, sizeof(known), reason, length);
	return found && found > known && found[-1] == ' ' && found[length] == ' ';
}

static bool
is_word(const char *field, size_t length, const char *word)
{
	return length == strlen(word) && begins(field, word);
}

// Writes a blank and the field that begins here, unless the copy must not have it.
static void
put_field(FILE *to, const char *field, size_t length)
{
	static const char *const words[] = {"exe", "comm", "host", "label"};
	size_t name = name_length(field);
	const char *value = field + name + 1;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *word = value_of(field, words[i]);
		if (word) {
			fprintf(to, " %s=", words[i]);
			(i < 2 ? anonymous_path : anonymous_word)(to, word, length - (size_t)(word - field));
			return;
		}
	}
	if (name == 0 || name >= length || (field[name] != '=' && field[name] != ':'))
		return;
	size_t bytes = length - name - 1;
	bool is_known = (value_of(field, "run") && is_of(value, bytes, hex_digits))
		|| is_word(field, length, "libc=musl") || is_word(field, length, "stacks=backtrace");
	if (value_of(field, "reason") && !is_known_reason(value, bytes))
		fputs(" reason=other", to);
	else if (is_known || value_of(field, "reason") || is_of(value, bytes, plain))
		fprintf(to, " %.*s", (int)length, field);
}

// Writes the fields of a line from here on. `by:` has a thread's name between two numbers.
static void
put_fields(FILE *to, const char *at)
{
	for (; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");
		const char *by = &FORMAT_BY[1];
		const char *name = begins(at, by) ? memchr(at, '/', length) : NULL;
		const char *behind = name ? memrchr(at, '/', length) : NULL;
		if (name && behind > name && is_of(at + strlen(by), (size_t)(name - at) - strlen(by), digits)
			&& is_of(behind + 1, length - (size_t)(behind + 1 - at), "0123456789%")) {
			fprintf(to, " %.*s", (int)(name + 1 - at), at);
			anonymous_word(to, name + 1, (size_t)(behind - name - 1));
			fprintf(to, "%.*s", (int)(at + length - behind), behind);
		} else if (strncmp(at, &FORMAT_UNSEEN[1], length) == 0 && length == strlen(&FORMAT_UNSEEN[1])) {
			fputs(FORMAT_UNSEEN, to);
		} else {
			put_field(to, at, length);
		}
		at += length;
	}
	putc('\n', to);
}

// Writes a line of a thread or a label: its beginning, the name, and its counts.
static void
put_named(FILE *to, const char *line, const char *name)
{
	size_t length = strcspn(name, " ");

	fprintf(to, "%.*s", (int)(name - line), line);
	anonymous_word(to, name, length);
	put_fields(to, name + length);
}

static void
put_thread(FILE *to, const char *line)
{
	const char *number = line + strlen(FORMAT_THREAD);
	size_t length = strcspn(number, " ");
	bool is_sum = begins(number, FORMAT_ENDED " ") || begins(number, FORMAT_REST " ");

	if (number[length] && (is_sum || is_of(number, length, digits)))
		put_named(to, line, number + length + 1);
}

static void
put_entry(FILE *to, char *line)
{
	char *end = strchr(line, '}');
	char *trail = strstr(line, FORMAT_FROM);
	size_t id = end ? (size_t)(end - line - 1) : 0;

	// The callers are left out, since a reader takes them from the stack.
	if (trail)
		*trail = '\0';
	if (!end || !(is_of(line + 1, id, hex_digits) || begins(line + 1, FORMAT_OTHER "}")
			|| begins(line + 1, FORMAT_INHERITED "}") || begins(line + 1, FORMAT_REST "}")))
		return;
	fprintf(to, "%.*s", (int)(end + 1 - line), line);
	put_fields(to, end + 1);
}

// Writes PATH:LINE in FUNCTION [LANGUAGE]. Returns false if the text is not of this form.
static bool
put_script_line(FILE *to, const char *text)
{
	const char *language = strrchr(text, '[');
	const char *in = NULL;

	if (!language || language < text + 2 || language[-1] != ' '
		|| strcmp(language + 1 + name_length(language + 1), "]") != 0)
		return false;
	// Finds the last " in " behind a line number: a function's name has no colon before a digit.
	for (const char *at = text; (at = strstr(at, " in ")) && at < language; at++) {
		const char *digit = at;
		while (digit > text && strchr(digits, digit[-1]))
			digit--;
		if (digit < at && digit > text && digit[-1] == ':')
			in = digit - 1;
	}
	if (!in)
		return false;
	anonymous_path(to, text, (size_t)(in - text));
	fputs(in, to);
	return true;
}

// Returns the parenthesis that the text's last one closes: the one after MODULE in
// MODULE(SYMBOL+OFFSET).
static const char *
matching_parenthesis(const char *text, const char *end)
{
	unsigned depth = 0;

	for (const char *at = end; at-- > text;) {
		depth += *at == ')';
		if (*at == '(' && depth > 0 && --depth == 0)
			return at;
	}
	return NULL;
}

// Writes MODULE(SYMBOL+OFFSET) [ADDRESS]. Code without a file has no MODULE.
static void
put_native_frame(FILE *to, const char *text)
{
	const char *address = strstr(text, "[0x");
	for (const char *next = address; next; next = strstr(next + 1, "[0x"))
		address = next;
	const char *end = address ? address : text + strlen(text);
	const char *plus = memrchr(text, '+', (size_t)(end - text));
	bool is_code = text[0] == '(' && !begins(text, "(program)(");
	const char *open = is_code ? text : matching_parenthesis(text, end);

	if (address && !is_of(address + 3, strlen(address + 3), "0123456789abcdef]"))
		return;
	if (!open) {
		// A name alone, as libunwind gives it, or a file's.
		size_t length = (size_t)(end - text);
		if (address || !anonymous_is_function(text, length))
			anonymous_path(to, text, length);
		else
			fwrite(text, 1, length, to);
	} else if (is_code) {
		const char *behind = plus ? plus : end;
		putc('(', to);
		(plus ? anonymous_code : anonymous_path)(to, text + 1, (size_t)(behind - text - 1));
		fwrite(behind, 1, (size_t)(end - behind), to);
	} else {
		anonymous_path(to, text, (size_t)(open - text));
		fwrite(open, 1, (size_t)(end - open), to);
	}
	fputs(address ? address : "", to);
}

static void
put_frame(FILE *to, const char *line)
{
	const char *text = strstr(line, "} ");

	if (!text || !is_of(line + 3, (size_t)(text - line - 3), digits))
		return;
	text += 2;
	fprintf(to, "%.*s", (int)(text - line), line);
	if (!put_script_line(to, text))
		put_native_frame(to, text);
	putc('\n', to);
}

// Writes a line in which a path follows this number of words.
static void
put_path(FILE *to, const char *line, int words)
{
	const char *at = line + strlen("# ");
	at += name_length(at);
	size_t kind = (size_t)(at - line);

	while (words-- > 0 && *at) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	if (!*at || !is_of(line + kind, (size_t)(at - line) - kind, "0123456789abcdefx-= inodebytesread"))
		return;
	fprintf(to, "%.*s ", (int)(at - line), line);
	anonymous_path(to, at + 1, strlen(at + 1));
	putc('\n', to);
}

// Writes stand-ins for words that blanks separate. A word may be empty.
static void
put_words(FILE *to, const char *begin, const char *words)
{
	fputs(begin, to);
	for (;; words++) {
		size_t length = strcspn(words, " ");
		anonymous_path(to, words, length);
		words += length;
		if (!*words)
			break;
		putc(' ', to);
	}
	putc('\n', to);
}

// Writes the beginning of a note, and its times. The reader recognizes some notes by these.
static void
put_note(FILE *to, const char *note)
{
	static const char time[] = "2026-11-21T17:45:20.692Z", less[] = "left out by pmem export";
	const char *told = begins(note, FORMAT_UNWRITTEN) ? FORMAT_UNWRITTEN
		: begins(note, FORMAT_WRITTEN) ? FORMAT_WRITTEN : NULL;
	bool has_end = begins(note, FORMAT_WRITTEN);
	const char *other = told ? note + strlen(told) + strlen(time) + strlen(" to ") : NULL;

	fputs(FORMAT_NOTE, to);
	if (begins(note, FORMAT_CALLERS))
		fprintf(to, FORMAT_CALLERS "%s\n", less);
	else if (begins(note, FORMAT_PAST))
		fprintf(to, FORMAT_PAST "%s" FORMAT_PAST_END "\n", less);
	else if (!told || !is_of(note + strlen(told), strlen(time), plain))
		fprintf(to, "%s\n", less);
	else if (has_end && strlen(note) > (size_t)(other - note) + strlen(time)
		&& is_of(other, strlen(time), plain))
		fprintf(to, "%.*s: %s\n", (int)(other + strlen(time) - note), note, less);
	else
		fprintf(to, "%.*s: %s\n", (int)(strlen(told) + strlen(time)), note, less);
}

static void
put_comment(FILE *to, const char *line)
{
	if (begins(line, FORMAT_HEADER)) {
		const char *version = line + strlen(FORMAT_HEADER);
		size_t length = strcspn(version, " ");
		if (!is_of(version, length, digits))
			return;
		fprintf(to, "%.*s", (int)(version + length - line), line);
		put_fields(to, version + length);
	} else if (begins(line, FORMAT_FORKED)) {
		fputs("# forked from", to);
		put_fields(to, line + strlen(FORMAT_FORKED));
	} else if (begins(line, FORMAT_COMMAND)) {
		put_words(to, FORMAT_COMMAND, line + strlen(FORMAT_COMMAND));
	} else if (begins(line, FORMAT_COMM)) {
		put_words(to, FORMAT_COMM, line + strlen(FORMAT_COMM));
	} else if (begins(line, FORMAT_CWD) || begins(line, FORMAT_CGROUP)) {
		put_path(to, line, 0);
	} else if (begins(line, FORMAT_MAP)) {
		put_path(to, line, 3);
	} else if (begins(line, FORMAT_MODULE)) {
		put_path(to, line, 2);
	} else if (begins(line, FORMAT_NOTE)) {
		put_note(to, line + strlen(FORMAT_NOTE));
	} else if (begins(line, FORMAT_MOVED) && is_of(line + strlen(FORMAT_MOVED),
			strlen(line + strlen(FORMAT_MOVED)), "0123456789abcdefx")) {
		fprintf(to, "%s\n", line);
	}
}

static void
put_line(FILE *to, char *line)
{
	static const char losses[] = "losses";

	if (line[0] == '#') {
		put_comment(to, line);
	} else if (line[0] == '{') {
		put_entry(to, line);
	} else if (begins(line, "  {")) {
		put_frame(to, line);
	} else if (begins(line, FORMAT_THREAD)) {
		put_thread(to, line);
	} else if (begins(line, FORMAT_LABEL_LINE)) {
		put_named(to, line, line + strlen(FORMAT_LABEL_LINE));
	} else if (line[0] == '\0' || (line[0] == '[' && is_of(line, strlen(line), "[]= 0123456789"))) {
		fprintf(to, "%s\n", line);
	} else if (begins(line, "losses ") || begins(line, FORMAT_MEMORY " ")) {
		const char *kind = begins(line, losses) ? losses : FORMAT_MEMORY;
		fputs(kind, to);
		put_fields(to, line + strlen(kind));
	} else if (begins(line, "time=") || begins(line, "churn=")) {
		size_t length = strcspn(line, " ");
		if (!is_of(strchr(line, '=') + 1, strcspn(strchr(line, '=') + 1, " "), plain))
			return;
		fprintf(to, "%.*s", (int)length, line);
		put_fields(to, line + length);
	}
}

bool
export_log_copy(FILE *to, const char *path, bool is_anonymous)
{
	struct input *input = input_open(path);
	struct raw_line raw;
	bool is_first = true;

	if (!input)
		return false;
	while (input_next(input, &raw)) {
		if (raw.length > 0 && raw.text[raw.length - 1] == '\r')
			raw.text[raw.length - 1] = '\0';
		// A later piece begins with its header, which needs an empty line before it in one file.
		if (raw.begins_piece && !is_first)
			putc('\n', to);
		is_first = false;
		if (is_anonymous && !raw.cut)
			put_line(to, raw.text);
		else if (!is_anonymous)
			fprintf(to, "%s\n", raw.text);
	}
	bool is_good = input_is_good(input);
	input_close(input);
	return is_good;
}
