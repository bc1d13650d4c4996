// logtold: the stacks that a log tells once behind each header, for the entries that are one line.
// Those must agree with the words in which such a line ends. For logfile.c alone.

#ifndef TESTS_LOGTOLD_H
#define TESTS_LOGTOLD_H

#include <search.h>

#include "lognumbers.h"

struct told {
	char id[24];
	int depth;
	char **frames;
	bool has_twin; // the id stands for another stack, too
};

static int
compare_told(const void *a, const void *b)
{
	return strcmp(((const struct told *)a)->id, ((const struct told *)b)->id);
}

static void
free_told(void *told)
{
	free(((struct told *)told)->frames);
	free(told);
}

// A header: what follows it is complete in itself.
static void
forget_told(struct parse *parse)
{
	tdestroy(parse->told, free_told);
	parse->told = NULL;
}

static void
note_told(struct parse *parse, const struct log_source *entry)
{
	struct told *told = calloc(1, sizeof(*told));
	size_t bytes = (size_t)entry->depth * sizeof(*told->frames);
	if (!told || !(told->frames = malloc(bytes)))
		abort();
	strcpy(told->id, entry->id);
	told->depth = entry->depth;
	memcpy(told->frames, entry->frames, bytes);
	struct told *found = *(struct told **)tsearch(told, &parse->told, compare_told);
	if (found == told)
		return;
	struct log_source before = {.depth = found->depth};
	strcpy(before.id, found->id);
	memcpy(before.frames, found->frames, (size_t)found->depth * sizeof(*found->frames));
	found->has_twin = found->has_twin || !same_source(&before, entry);
	// Told again it has names that it had not.
	if (!found->has_twin)
		memcpy(found->frames, entry->frames, bytes);
	free_told(told);
}

// How many characters of a name are not cut.
static size_t
sure_length(const char *name, size_t length)
{
	return length == 48 && strncmp(name + 45, "...", 3) == 0 ? 45 : length;
}

// Whether a frame is at this place in its file: the file begins at a page. A frame without a name says so
// itself; one that had a name may have lost it.
static bool
is_at(const char *frame, const char *offset, size_t length)
{
	const char *address = strrchr(frame, '[');
	const char *unnamed = strstr(frame, "(+0x");

	return address && strncmp(address, "[0x", 3) == 0
		&& ((strtoull(address + 3, NULL, 16) - strtoull(offset + 3, NULL, 16)) & 4095) == 0
		&& (!unnamed || (strncmp(unnamed + 1, offset, length) == 0 && unnamed[1 + length] == ')'));
}

// Whether a word of the trail is what a frame is called: its function, or its file and where it is there,
// or where it is alone.
static bool
is_called(const char *frame, const char *word, size_t length)
{
	const char *offset = memmem(word, length, "+0x", 3);
	if (offset && !is_at(frame, offset, length - (size_t)(offset - word)))
		return false;
	if (offset == word)
		return true;
	if (offset)
		return is_called(frame, word, sure_length(word, (size_t)(offset - word)));
	if (strncmp(frame, word, length) == 0)
		return true;
	for (const char *at = strpbrk(frame, "/("); at; at = strpbrk(at + 1, "/(")) {
		if (strncmp(at + 1, word, length) == 0)
			return true;
	}
	return false;
}

static void
check_trail(struct parse *parse, const struct log_source *entry)
{
	int frame = 1;

	for (const char *word = entry->trail; word;) {
		word += strlen(" < ");
		const char *next = strstr(word, " < ");
		size_t length = next ? (size_t)(next - word) : strlen(word);
		size_t sure = sure_length(word, length);
		while (frame < entry->depth && !is_called(entry->frames[frame], word, sure))
			frame++;
		const char *offset = memmem(word, length, "+0x", 3);
		size_t name = offset ? (size_t)(offset - word) : length;
		if (length == 0 || name > 48 || frame == entry->depth)
			complain(parse, "{%s}: no such caller: %s", entry->id, word);
		word = next;
	}
}

static void
take_stack(struct parse *parse, struct log_source *entry)
{
	struct told *const *found;

	entry->told = entry->depth > 0;
	if (entry->told && entry->trail)
		complain(parse, "{%s}: a stack, and its callers", entry->id);
	if (entry->told)
		note_told(parse, entry);
	if (entry->told || !is_source(entry))
		return;
	struct told key;
	strcpy(key.id, entry->id);
	found = tfind(&key, &parse->told, compare_told);
	if (parse->version == 1)
		complain(parse, "{%s}: no stack, in format 1", entry->id);
	if (!found || (*found)->has_twin) {
		complain(parse, "{%s}: %s", entry->id, found ? "which of two stacks?" : "no stack so far");
		return;
	}
	entry->depth = (*found)->depth;
	memcpy(entry->frames, (*found)->frames, (size_t)entry->depth * sizeof(*entry->frames));
	check_trail(parse, entry);
}

#endif
