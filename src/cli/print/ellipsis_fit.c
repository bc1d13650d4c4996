// SPDX-License-Identifier: BSD-2-Clause
// Cuts a column of texts. Texts that are equal once cut are sorted. The most similar ones then lie
// side by side, and each text needs to be compared only with its neighbours.

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/glyph.h"
#include "base/memory.h"
#include "print/ellipsis.h"

enum {
	// Each round adds a mark. Texts that are still equal after the last round stay equal.
	ROUNDS = 3,
	BEHIND = '\x01', // a byte that is in no name; marks the end of a part in the sort key
};

struct cut {
	const char *text;
	char *named; // the sort key, for texts that are equal once cut; NULL until needed
	size_t number;
	char *result;
	// places where `text` differs from texts that are equal to it once cut
	const char *marks[ROUNDS];
	size_t mark_count;
	bool is_marked; // true if a mark was added in this round
};

static bool
is_sorted_by(const struct ellipsis_part *part, size_t number)
{
	return number == 0 || part->is_via || !part->is_nameless;
}

// Returns a sort key that makes the most similar texts neighbours. The key has the parts with a
// name, each followed by BEHIND, and then the whole text.
static char *
named_first(const char *text)
{
	struct compose named;

	const struct ellipsis_parts *split = ellipsis_split(text);
	compose_begin(&named);
	for (size_t i = 0; i < split->count; i++) {
		const struct ellipsis_part *part = &split->parts[i];
		if (is_sorted_by(part, i))
			fprintf(named.to, "%.*s%c", (int)(part->end - part->begin), part->begin,
				BEHIND);
	}
	fprintf(named.to, "%c%s", BEHIND, text);
	return compose_end(&named);
}

// Returns the first place in a's text where the sort keys of a and b differ. Returns NULL if the
// keys are equal.
static const char *
difference(const struct cut *a, const struct cut *b)
{
	const char *at = a->named;
	size_t same = 0;

	while (at[same] && at[same] == b->named[same])
		same++;
	if (!at[same] && !b->named[same])
		return NULL;
	const struct ellipsis_parts *split = ellipsis_split(a->text);
	for (size_t i = 0; i < split->count; i++) {
		const struct ellipsis_part *part = &split->parts[i];
		size_t length = (size_t)(part->end - part->begin);
		if (!is_sorted_by(part, i))
			continue;
		if (same <= length)
			return part->begin + (same < length ? same : length - (length > 0));
		same -= length + 1;
	}
	// The parts with a name are equal in both keys. So the difference is in a part without a name.
	return same > 0 ? a->text + (same - 1) : split->parts[split->count - 1].begin;
}

static int
by_result(const void *left, const void *right)
{
	const struct cut *a = left, *b = right;
	int order = strcmp(a->result, b->result);
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

static int
by_name(const void *left, const void *right)
{
	const struct cut *a = left, *b = right;
	int order = strcmp(a->named, b->named);
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

// Finds different texts that are equal once cut, gives each of them a mark, and cuts them again.
// Returns false if there are no such texts.
static bool
tell_apart(struct cut *cuts, size_t count, size_t columns)
{
	size_t end;
	bool has_any = false;

	qsort(cuts, count, sizeof(*cuts), by_result);
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && strcmp(cuts[i].result, cuts[end].result) == 0;)
			end++;
		for (size_t k = i; k < end && end > i + 1; k++)
			if (!cuts[k].named)
				cuts[k].named = named_first(cuts[k].text);
		if (end > i + 1)
			qsort(&cuts[i], end - i, sizeof(*cuts), by_name);
		for (size_t k = i; k < end; k++) {
			// Of the differences from both neighbours, the one that is farther on separates more.
			const char *mark = k > i ? difference(&cuts[k], &cuts[k - 1]) : NULL;
			const char *next = k + 1 < end ? difference(&cuts[k], &cuts[k + 1]) : NULL;
			mark = !mark || (next && next > mark) ? next : mark;
			ASSERT(cuts[k].mark_count < ROUNDS);
			if (mark) {
				cuts[k].marks[cuts[k].mark_count++] = mark;
				has_any = cuts[k].is_marked = true;
			}
		}
	}
	for (size_t i = 0; i < count && has_any; i++) {
		if (!cuts[i].is_marked)
			continue;
		cuts[i].is_marked = false;
		free(cuts[i].result);
		cuts[i].result = ellipsis_cut(cuts[i].text, cuts[i].marks, cuts[i].mark_count,
			columns);
	}
	return has_any;
}

char **
ellipsis_fit(char *const *texts, size_t count, size_t columns)
{
	char **results = memory_get(count, sizeof(*results));
	struct cut *cuts = memory_get(count, sizeof(*cuts));

	for (size_t i = 0; i < count; i++) {
		bool fits = columns == 0 || glyph_columns(texts[i]) <= columns;
		cuts[i] = (struct cut){.text = texts[i], .number = i};
		cuts[i].result = fits ? memory_text(texts[i], strlen(texts[i]))
			: ellipsis_cut(cuts[i].text, cuts[i].marks, cuts[i].mark_count, columns);
	}
	for (int round = 0; columns > 0 && round < ROUNDS; round++)
		if (!tell_apart(cuts, count, columns))
			break;
	for (size_t i = 0; i < count; i++) {
		results[cuts[i].number] = cuts[i].result;
		free(cuts[i].named);
	}
	free(cuts);
	return results;
}
