// SPDX-License-Identifier: BSD-2-Clause

#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "base/system.h"
#include "rows/name.h"

static const char anonymous[] = "(anonymous namespace)";

// Compares the first letter before calling strncmp(), because usually it differs.
static bool
begins_with(const char *text, const char *beginning)
{
	return *text == *beginning && strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool
opens(char letter)
{
	return letter == '<' || letter == '(' || letter == '[' || letter == '{';
}

static bool
closes(char letter)
{
	return letter == '>' || letter == ')' || letter == ']' || letter == '}';
}

// Returns the next letter that print_short() or name_of_cxx() may have to handle. Skips all other
// letters, which are most, at once.
static const char *
skip_plain(const char *text, const char *end)
{
	static const bool means[256] = {['('] = true, ['<'] = true, ['['] = true, ['{'] = true,
		['}'] = true, [' '] = true, ['o'] = true, ['d'] = true, ['l'] = true};

	while (text < end && !means[(unsigned char)*text])
		text++;
	return text;
}

// Returns the same as operator_length(), for a text that begins with 'o'.
static size_t
operator_length_here(const char *text, const char *end)
{
	static const char *const signs[] = {
		"()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">", NULL,
	};
	size_t length = strlen("operator");

	if ((size_t)(end - text) < length || !begins_with(text, "operator")
		|| isalnum((unsigned char)text[length]) || text[length] == '_')
		return 0;
	for (int i = 0; signs[i]; i++) {
		if (!begins_with(text + length, signs[i]))
			continue;
		size_t sign = strlen(signs[i]);
		// LLVM writes operator<<int> for `operator< <int>`. There "<<" matches, but only the first
		// '<' is the operator's.
		const char *behind = text + length + sign;
		if (sign == 2 && behind < end && strcmp(signs[i], "<<") == 0 && *behind != '<'
			&& *behind != ' ' && *behind != '(')
			sign = 1;
		return length + sign + (text[length + sign] == ' ' && text[length + sign + 1] == '<');
	}
	return length;
}

// Returns the length of an operator's name that begins at `text`, such as "operator<<". Returns 0
// if none begins there. A blank between the operator and template arguments is included. Inline,
// because it is called for each letter of a name.
static inline size_t
operator_length(const char *text, const char *end)
{
	return *text == 'o' ? operator_length_here(text, end) : 0;
}

// Returns the same as name_behind(), but NULL if no closing bracket matches.
static const char *
find_behind(const char *text, const char *end)
{
	int depth = 0;

	while (text < end) {
		size_t operator = operator_length(text, end);
		if (operator > 0) {
			text += operator;
			continue;
		}
		// The '>' of "->" is not a closing bracket.
		if (*text == '-' && text + 1 < end && text[1] == '>')
			text++;
		else if (opens(*text))
			depth++;
		else if (closes(*text) && --depth == 0)
			return text + 1;
		text++;
	}
	return NULL;
}

static const char *
skip_brackets(const char *text, const char *end)
{
	const char *behind = find_behind(text, end);
	return behind ? behind : end;
}

const char *
name_behind(const char *text)
{
	return skip_brackets(text, text + strlen(text));
}

const char *
name_end_in_list(const char *text, const char *end)
{
	while (text < end) {
		size_t operator = operator_length(text, end);
		const char *behind = operator == 0 && opens(*text) ? find_behind(text, end) : NULL;
		if (operator == 0 && *text == ',' && text + 1 < end && text[1] == ' ')
			return text;
		text = behind ? behind : text + (operator > 0 ? operator : 1);
	}
	return end;
}

// `text` is at the parameters of a function, maybe followed by " const". If "::" comes next, the
// function encloses another one: returns the text at the "::". Returns NULL if the name ends with
// the parameters.
static const char *
skip_inner_parameters(const char *text, const char *end)
{
	const char *behind = skip_brackets(text, end);

	if (begins_with(behind, " const"))
		behind += strlen(" const");
	return begins_with(behind, "::") ? behind : NULL;
}

const char *
name_of_cxx(const char *name, size_t *length)
{
	const char *end = name + strlen(name);
	const char *text = name;

	*length = 0;
	while ((text = skip_plain(text, end)) < end) {
		size_t operator = operator_length(text, end);
		if (begins_with(text, anonymous)) {
			text += strlen(anonymous);
		} else if (*text == '(' && text > name && text[-1] == '.') {
			text = skip_brackets(text, end); // Go: runtime.(*mheap).grow
		} else if (*text == '(') {
			const char *behind = text == name ? NULL : skip_inner_parameters(text, end);
			if (!behind) {
				*length = (size_t)(text - name);
				return name;
			}
			text = behind;
		} else if (operator > 0) {
			text += operator;
			// The type in a conversion operator's name may have blanks and brackets: operator
			// std::vector<int>().
			if (isalpha((unsigned char)*text) || *text == ' ' || *text == '"')
				text += strcspn(text, "(");
		} else if (begins_with(text, "decltype") || opens(*text)) {
			text = skip_brackets(text, end);
		} else if (*text++ == ' ') {
			name = text;
		}
	}
	return NULL;
}

// Returns the name without result type and parameters. Returns the whole name if it is no C++ name
// with parameters.
static const char *
alone(const char *name, size_t *length)
{
	const char *cxx = name_of_cxx(name, length);

	if (cxx && *length > 0)
		return cxx;
	*length = strlen(name);
	return name;
}

// Returns true if the brackets at `text` are no template arguments but part of a Rust path, such as
// <TYPE as TRAIT>::f.
static bool
is_path(const char *begin, const char *text)
{
	return text == begin || begins_with(text, "<impl ");
}

const char *
name_last(const char *name, size_t *length)
{
	const char *begin = alone(name, length);
	const char *end = begin + *length;
	const char *last = begin;
	const char *arguments = end;

	for (const char *text = begin; text < end;) {
		size_t operator = operator_length(text, end);
		if (operator > 0) {
			last = text;
			text += operator;
			arguments = end;
			if (text < end && *text == '<' && operator > strlen("operator"))
				arguments = text;
			break;
		}
		if (begins_with(text, "::") && text + 2 < end && text[2] != '<') {
			last = text += 2;
			arguments = end;
		} else if (opens(*text)) {
			if (*text == '<' && arguments == end && text > last)
				arguments = text;
			text = skip_brackets(text, end);
		} else {
			text++;
		}
	}
	while (arguments - last > 2 && arguments[-1] == ':')
		arguments--;
	*length = (size_t)(arguments - last);
	return last;
}

static void
print_short(FILE *to, const char *begin, const char *end, bool is_plain)
{
	bool is_lambda = false;

	for (const char *text = begin; text < end;) {
		const char *plain = skip_plain(text, end);
		if (plain > text) {
			fwrite(text, 1, (size_t)(plain - text), to);
			text = plain;
			continue;
		}
		size_t operator = operator_length(text, end);
		const char *behind = *text == '<' || *text == '(' ? find_behind(text, end) : NULL;
		bool is_arguments = behind && *text == '<' && behind[-1] == '>';
		bool is_parameters = behind && *text == '(' && behind[-1] == ')';
		if (operator > 0) {
			fwrite(text, 1, operator, to);
			text += operator;
		} else if (begins_with(text, anonymous)) {
			fputs(anonymous, to);
			text += strlen(anonymous);
		} else if (is_arguments && !is_path(begin, text)) {
			fputs(is_plain ? "" : "<>", to);
			text = behind;
		} else if (is_parameters && (is_lambda || begins_with(behind, "::"))) {
			text = behind;
		} else if (is_parameters && begins_with(behind, " const::")) {
			text = behind + strlen(" const");
		} else {
			is_lambda = begins_with(text, "lambda(") || (is_lambda && *text != '}');
			fputc(*text++, to);
		}
	}
}

// If `text` is at a default template argument of the C++ library, returns the text behind it.
// Example: ", std::less<int>". Returns NULL otherwise.
static const char *
skip_usual(const char *text, const char *end)
{
	static const char *const usual[] = {"allocator<", "less<", "equal_to<", "hash<", "char_traits<",
		"default_delete<", "_Select1st<", "_Identity<", NULL};
	static const char std[] = ", std::";
	static const char of_llvm[] = "__1::";

	if (!begins_with(text, std))
		return NULL;
	text += strlen(std);
	text += begins_with(text, of_llvm) ? strlen(of_llvm) : 0;
	for (int i = 0; usual[i]; i++) {
		size_t length = strlen(usual[i]);
		const char *behind = begins_with(text, usual[i]) ? find_behind(text + length - 1, end) : NULL;
		if (behind && behind < end && strchr(",> ", *behind))
			return begins_with(behind, " >") ? behind + 1 : behind;
	}
	return NULL;
}

static void
print_written(FILE *to, const char *begin, const char *end)
{
	static const char of_gnu[] = "__cxx11::";
	static const char string[] = "basic_string<char, std::char_traits<char>, std::allocator<char>";

	for (const char *text = begin; text < end;) {
		size_t operator = operator_length(text, end);
		const char *behind = *text == ',' ? skip_usual(text, end) : NULL;
		if (begins_with(text, of_gnu)) {
			text += strlen(of_gnu);
		} else if (begins_with(text, string) && (text == begin || text[-1] == ':')) {
			fputs("string", to);
			text = skip_brackets(text + strcspn(text, "<"), end);
		} else if (behind) {
			text = behind;
		} else {
			size_t length = operator > 0 ? operator : 1;
			fwrite(text, 1, length, to);
			text += length;
		}
	}
}

bool
name_is_js(const char *name)
{
	return strncmp(name, "JS:", 3) == 0;
}

const char *
name_js_path(const char *name)
{
	static const char url[] = " file:///"; // of a module
	const char *path = name_is_js(name) ? strstr(name, url) : NULL;

	if (path)
		return path + strlen(url) - 1;
	path = name_is_js(name) ? strstr(name, " /") : NULL;
	return path ? path + 1 : NULL;
}

// Prints "JS:keep app.js:12:24" of "JS:keep /srv/app.js:12:24".
static void
print_js(FILE *to, const char *name)
{
	const char *path = name_js_path(name), *blank = path;

	while (blank && *blank != ' ')
		blank--;
	fprintf(to, "%.*s%s", blank ? (int)(blank + 1 - name) : 0, name, path ? path_last(path) : name);
}

void
name_print(FILE *to, const char *name, enum name_form form)
{
	if (name_is_js(name)) {
		if (form < NAME_WRITTEN)
			print_js(to, name);
		else
			fputs(name, to);
		return;
	}
	size_t length;
	const char *begin = alone(name, &length);
	if (form == NAME_WHOLE)
		fwrite(begin, 1, length, to);
	else if (form == NAME_WRITTEN)
		print_written(to, begin, begin + length);
	else
		print_short(to, begin, begin + length, form == NAME_PLAIN);
}

bool
name_answer(struct name_answers *answers, const char *name, bool (*is)(const char *name))
{
	uint64_t hash = intern_hash(name, strlen(name));
	size_t at = hash % (sizeof(answers->known) / sizeof(*answers->known));

	if (answers->known[at].hash != hash) {
		answers->known[at].hash = hash;
		answers->known[at].is = is(name);
	}
	return answers->known[at].is;
}
