// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "report/script.h"
#include "rows/name.h"

// The words of a command line that are looked at. An interpreter's own options stand before the script.
enum { WORDS = 16 };

struct word {
	const char *text;
	size_t length;
};

// Returns true if the first `all` bytes of `file` are the word and then `end`, in any folder.
static bool
is_file(const char *file, size_t all, const struct word *word, const char *end)
{
	size_t length = word->length + strlen(end);
	const char *from = all >= length ? file + all - length : NULL;

	return from && memcmp(from, word->text, word->length) == 0
		&& memcmp(from + word->length, end, strlen(end)) == 0 && (all == length || from[-1] == '/');
}

// Returns true if the word is the script of a function of V8's, "JS:keep /srv/app.js:12:24".
static bool
is_of_js(const char *function, const struct word *word)
{
	const char *file = name_js_path(function);

	return file && is_file(file, strcspn(file, ":"), word, "");
}

// Returns true if the word is a script, a module of Python's, or a class of Java's in this file. Of a class,
// the word is without its package then.
static bool
is_named(const struct frame *frame, struct word *word)
{
	size_t all = strlen(frame->file), package = word->length;

	while (package > 0 && word->text[package - 1] != '.')
		package--;
	struct word class = {word->text + package, word->length - package};
	if (is_file(frame->file, all, word, "") || is_file(frame->file, all, word, "/__main__.py"))
		return true;
	if (!is_file(frame->file, all, &class, ".java"))
		return false;
	*word = class;
	return true;
}

const char *
script_interpreter(const char *file)
{
	static const char *const names[] = {"perl", "lua", "python", "ruby", "php", "node", "java", NULL};

	file += strncmp(file, "lib", 3) == 0 ? 3 : 0;
	for (size_t i = 0; names[i]; i++)
		if (strncmp(file, names[i], strlen(names[i])) == 0)
			return names[i];
	return NULL;
}

// Returns true if the word ends like a script's file name.
static bool
is_script(const struct word *word)
{
	static const char *const ends[] = {".pl", ".lua", ".py", ".rb", ".php", ".js", ".mjs", ".cjs", ".ts",
		".jar", NULL};

	for (size_t i = 0; ends[i]; i++)
		if (word->length > strlen(ends[i])
				&& memcmp(word->text + word->length - strlen(ends[i]), ends[i], strlen(ends[i])) == 0)
			return true;
	return false;
}

// Returns true if the next word is this option's argument, such as a class path.
static bool
takes_next(const struct word *word)
{
	static const char *const names[] = {"-cp", "-classpath", "--class-path", "--module-path", "-r",
		"--require", "--import", "-I", "-W", "-X", NULL};

	for (size_t i = 0; names[i]; i++)
		if (word->length == strlen(names[i]) && memcmp(word->text, names[i], word->length) == 0)
			return true;
	return false;
}

static size_t
words_of(const char *command, struct word words[WORDS])
{
	const char *at = strchr(command, ' ');
	size_t count = 0;
	bool is_taken = false;

	for (int i = 0; at && i < WORDS; i++, at = strchr(at, ' ')) {
		at += strspn(at, " ");
		at += strncmp(at, "./", 2) == 0 ? 2 : 0;
		struct word word = {at, strcspn(at, " ")};
		if (word.length > 0 && *at != '-' && !is_taken)
			words[count++] = word;
		is_taken = takes_next(&word);
	}
	return count;
}

// Returns true if the word's file has the kernel's name for the process: "gunicorn". A process
// that began as a script has the script's name, cut.
static bool
is_comm(const struct word *word, const struct run *run)
{
	enum { LONGEST = 15 };
	const char *comm = strcmp(run->comm, run_program(run)) == 0 ? "" : run->comm;
	const char *end = word->text + word->length, *name = end;

	while (name > word->text && name[-1] != '/')
		name--;
	size_t length = (size_t)(end - name), shown = length < LONGEST ? length : LONGEST;
	return shown > 0 && strlen(comm) == shown && memcmp(name, comm, shown) == 0;
}

char *
script_of(const struct run *run)
{
	struct word words[WORDS];
	size_t count = words_of(run->command, words), found = count;

	for (size_t i = 0; i < run->frame_count; i++) {
		const struct frame *frame = run->frames[i];
		for (size_t k = 0; k < found; k++)
			if (frame->language ? is_named(frame, &words[k]) : is_of_js(frame->function, &words[k]))
				found = k;
	}
	// Perl and Lua have no lines on stacks, and a worker's innermost ones may be of modules alone.
	if (found == count && script_interpreter(run_program(run)))
		for (found = 0; found < count && !is_script(&words[found]) && !is_comm(&words[found], run); )
			found++;
	return found < count ? memory_text(words[found].text, words[found].length) : memory_text("", 0);
}
