// SPDX-License-Identifier: BSD-2-Clause
// Makes the texts of the largest sources, so that no two texts are equal. For many thousands of
// sources, this would take longer than reading their log. So the texts of all other sources are
// made in the browser, by the page's script.

#include <stdlib.h>

#include "base/memory.h"
#include "html/lines.h"
#include "print/disambiguate.h"
#include "print/ellipsis.h"

enum {
	LINES_MOST = 1000,
	COLUMNS = 300, // wide, because the page has room to show a whole stack
};

struct ranked {
	size_t number;
	uint64_t most;
};

// Sorts by the most live bytes, for qsort().
static int
by_most(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->most != b->most)
		return a->most > b->most ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

char **
lines_of_sources(const struct row *rows, const uint64_t *most, size_t count)
{
	struct ranked *ranked = memory_get(count, sizeof(*ranked));
	char **lines = memory_get(count, sizeof(*lines));
	size_t shown = count < LINES_MOST ? count : LINES_MOST;
	struct row *largest = memory_get(shown, sizeof(*largest));

	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked){i, most[i]};
	qsort(ranked, count, sizeof(*ranked), by_most);
	for (size_t i = 0; i < shown; i++)
		largest[i] = rows[ranked[i].number];
	char **texts = disambiguate_rows(largest, shown);
	char **fit = ellipsis_fit(texts, shown, COLUMNS);
	for (size_t i = 0; i < shown; i++) {
		lines[ranked[i].number] = fit[i];
		free(texts[i]);
	}
	free(texts);
	free(fit);
	free(largest);
	free(ranked);
	return lines;
}
