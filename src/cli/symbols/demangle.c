// SPDX-License-Identifier: BSD-2-Clause

#include <ctype.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/message.h"
#include "base/memory.h"
#include "base/tool.h"
#include "symbols/tool_process.h"
#include "symbols/symbolizer.h"

enum {
	// Upper limit for a tool's output: OUTPUT_MAX, plus OUTPUT_PER_NAME for each name.
	OUTPUT_MAX = 1 << 26,
	OUTPUT_PER_NAME = 1 << 14,
	RUST_HASH = sizeof("17h0123456789abcdefE") - 1,
};

// All names that were given to demangle() so far.
static struct {
	struct intern names; // mangled
	const char **shown;  // shown[n] is what to show for names[n]
	size_t room;
} known;

// Returns the length of the name without suffixes that a compiler added, such as ".cold". When a
// compiler splits or copies a function, it adds a suffix to the name of each part or copy. To a
// programmer the parts and copies are one function.
static size_t
own_length(const char *name)
{
	static const char *const added[] = {
		"cold", "constprop", "isra", "llvm", "localalias", "lto_priv", "part",
	};
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
		size_t length = strcspn(dot + 1, ".");
		for (size_t i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
			if (dot > name && length == strlen(added[i])
				&& strncmp(dot + 1, added[i], length) == 0)
				return (size_t)(dot - name);
		}
	}
	return strlen(name);
}

static bool
is_mangled(const char *name)
{
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
		return false;
	return name[strspn(name, "_$.0123456789abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

static bool
has_rust_hash(const char *name)
{
	size_t length = strlen(name);
	if (strncmp(name, "_ZN", 3) != 0 || length < 3 + RUST_HASH)
		return false;
	name += length - RUST_HASH;
	return strncmp(name, "17h", 3) == 0 && strspn(name + 3, "0123456789abcdef") == 16
		&& name[RUST_HASH - 1] == 'E';
}

// Returns the character for which a word between two '$' stands, such as '<' for "LT". Some linkers
// do not accept '<' in a name. Returns 0 if the word stands for no character.
static char
rust_character(const char *word, size_t length)
{
	static const struct {
		const char *word;
		char character;
	} words[] = {
		{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'}, {"GT", '>'}, {"LP", '('},
		{"RP", ')'}, {"C", ','},
	};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) == length && strncmp(word, words[i].word, length) == 0)
			return words[i].character;
	}
	char *end;
	unsigned long value = word[0] == 'u' && length <= 4 ? strtoul(word + 1, &end, 16) : 0;
	return value >= ' ' && value < 127 && end == word + length ? (char)value : 0;
}

// Converts one component of a path: "$LT$" becomes '<', ".." becomes "::". Never writes more
// characters than it reads.
static char *
rust_part(char *to, const char *at, const char *end)
{
	// If a component would begin with '$', rustc puts an underscore before it.
	if (end - at > 1 && at[0] == '_' && at[1] == '$')
		at++;
	while (at < end) {
		const char *dollar = at[0] == '$' ? memchr(at + 1, '$', (size_t)(end - at - 1)) : NULL;
		char character = dollar ? rust_character(at + 1, (size_t)(dollar - at - 1)) : 0;
		if (character) {
			*to++ = character;
			at = dollar + 1;
		} else if (end - at > 1 && at[0] == '.' && at[1] == '.') {
			to = stpcpy(to, "::");
			at += 2;
		} else {
			*to++ = *at++;
		}
	}
	return to;
}

// Demangles a name in Rust's legacy scheme. A name of this scheme is _ZN, then components, then E.
// Each component follows its length, and the last component is a hash. Returns NULL for any other
// name. The caller frees the result.
static char *
rust_name(const char *name)
{
	if (!has_rust_hash(name))
		return NULL;
	const char *at = name + 3;
	const char *end = name + strlen(name) - RUST_HASH;
	// Twice the name's length is enough. Each component has at least one digit before it, for which
	// a separator of two characters is written.
	char *shown = memory_get(2 * strlen(name), 1);
	char *to = shown;
	while (at < end) {
		char *part;
		unsigned long length = strtoul(at, &part, 10);
		if (part == at || !isdigit((unsigned char)*at) || part > end
			|| length > (unsigned long)(end - part)) {
			free(shown);
			return NULL;
		}
		if (to > shown)
			to = stpcpy(to, "::");
		to = rust_part(to, part, part + length);
		at = part + length;
	}
	*to = '\0';
	if (to > shown)
		return shown;
	free(shown);
	return NULL;
}

// Removes "[0123456789abcdef]", a hash that tells apart two crates with the same name.
static void
cut_rust_crates(char *shown)
{
	char *to = shown;
	for (const char *at = shown; *at;) {
		size_t digits = *at == '[' ? strspn(at + 1, "0123456789abcdef") : 0;
		if (digits > 0 && at[1 + digits] == ']' && at > shown
			&& (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
			at += digits + 2;
		else
			*to++ = *at++;
	}
	*to = '\0';
}

// Older demanglers print "> >". Replaces it by ">>", which newer demanglers print.
static void
close_brackets(char *shown)
{
	char *to = shown;
	for (const char *at = shown; *at; at++) {
		if (at[0] == ' ' && at[1] == '>' && to > shown && to[-1] == '>')
			continue;
		*to++ = *at;
	}
	*to = '\0';
}

// Takes the demangled names from a tool's output, which must have one line for each name. If it has
// more or fewer lines, no name is taken.
static void
take_answers(char *output, const size_t *names, size_t count)
{
	size_t lines = 0;
	for (const char *at = strchr(output, '\n'); at; at = strchr(at + 1, '\n'))
		lines++;
	if (lines != count) {
		warn("the demangler's answer makes no sense: C++ names stay as they are");
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const char *mangled = known.names.keys[names[i]].bytes;
		char *line = output;
		output += strcspn(output, "\n");
		*output++ = '\0';
		if (!line[0] || strcmp(line, mangled) == 0)
			continue;
		char *shown = memory_text(line, strlen(line));
		if (mangled[1] == 'R')
			cut_rust_crates(shown);
		else
			close_brackets(shown);
		known.shown[names[i]] = shown;
	}
}

const char *demangle_self;

int
demangle_lines(FILE *to)
{
	void *library = dlopen("libstdc++.so.6", RTLD_NOW);
	void *found = library ? dlsym(library, "__cxa_demangle") : NULL;
	if (!found)
		return EXIT_DATA;

	char *(*of)(const char *, char *, size_t *, int *);
	memcpy(&of, &found, sizeof(of));
	char *line = NULL;
	size_t room = 0;
	for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
		line[length - 1] = '\0';
		char *shown = of(line, NULL, NULL, NULL);
		fprintf(to, "%s\n", shown ? shown : line);
		free(shown);
	}
	free(line);
	return 0;
}

static void
ask(const size_t *names, size_t count)
{
	static const char *const programs[] = {"c++filt", "llvm-cxxfilt"};
	const char *arguments[] = {NULL, NULL, NULL};
	char *path = NULL;
	struct compose input;

	for (size_t i = 0; i < 2 && !path; i++) {
		arguments[0] = programs[i];
		path = tool_find(programs[i]);
	}
	bool is_own = !path && demangle_self;
	if (is_own) {
		arguments[0] = demangle_self;
		arguments[1] = DEMANGLE_LINES;
		path = memory_text(demangle_self, strlen(demangle_self));
	}
	if (!path)
		return;
	compose_begin(&input);
	for (size_t i = 0; i < count; i++)
		fprintf(input.to, "%s\n", (const char *)known.names.keys[names[i]].bytes);
	char *text = compose_end(&input);
	struct tool_process tool = {
		.path = path,
		.arguments = arguments,
		.input = text,
		.input_bytes = input.length,
		.output_max = OUTPUT_MAX + count * OUTPUT_PER_NAME,
	};
	if (tool_run(&tool))
		take_answers(tool.output, names, count);
	else if (is_own)
		warn("neither c++filt nor libstdc++.so.6 works here: C++ names stay as the linker has them");
	else
		warn("%s: %s: C++ names stay as they are", path, tool.why);
	free(tool.output);
	free(text);
	free(path);
}

void
demangle(const char **names, size_t count)
{
	size_t *numbers = memory_get(count, sizeof(*numbers));
	size_t *asked = memory_get(count, sizeof(*asked));
	size_t asked_count = 0;

	for (size_t i = 0; i < count; i++) {
		bool is_new;
		char *own = memory_text(names[i], own_length(names[i]));
		numbers[i] = intern_number(&known.names, own, strlen(own), &is_new);
		free(own);
		if (!is_new)
			continue;
		const char *mangled = known.names.keys[numbers[i]].bytes;
		const char *rust = rust_name(mangled);
		known.shown = memory_grow(known.shown, numbers[i], &known.room, sizeof(*known.shown));
		// The mangled name is shown until a tool has demangled it. If no tool can, the mangled name
		// stays, and is not tried again.
		known.shown[numbers[i]] = rust ? rust : mangled;
		if (!rust && is_mangled(mangled))
			asked[asked_count++] = numbers[i];
	}
	if (asked_count > 0)
		ask(asked, asked_count);
	for (size_t i = 0; i < count; i++)
		names[i] = known.shown[numbers[i]];
	free(asked);
	free(numbers);
}
