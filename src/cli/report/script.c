// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "report/script.h"

// The words of a command line that are looked at. An interpreter's own options stand before the script.
enum { WORDS = 16 };

struct word {
	const char *text;
	size_t length;
};

// Returns true if `file` is the word and then `end`, in any folder.
static bool
is_file(const char *file, size_t all, const struct word *word, const char *end)
{
	size_t length = word->length + strlen(end);
	const char *from = file + all - length;

	return all >= length && memcmp(from, word->text, word->length) == 0
		&& strcmp(from + word->length, end) == 0 && (all == length || from[-1] == '/');
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

static size_t
words_of(const char *command, struct word words[WORDS])
{
	const char *at = strchr(command, ' ');
	size_t count = 0;

	for (int i = 0; at && i < WORDS; i++, at = strchr(at, ' ')) {
		at += strspn(at, " ");
		at += strncmp(at, "./", 2) == 0 ? 2 : 0;
		size_t length = strcspn(at, " ");
		if (length > 0 && *at != '-')
			words[count++] = (struct word){at, length};
	}
	return count;
}

char *
script_of(const struct run *run)
{
	struct word words[WORDS];
	size_t count = words_of(run->command, words), found = count;

	for (size_t i = 0; i < run->frame_count; i++)
		for (size_t k = 0; run->frames[i]->language && k < found; k++)
			if (is_named(run->frames[i], &words[k]))
				found = k;
	return found < count ? memory_text(words[found].text, words[found].length) : memory_text("", 0);
}
