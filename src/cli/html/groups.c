// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "html/data_text.h"
#include "html/groups.h"
#include "print/disambiguate.h"
#include "print/ellipsis.h"
#include "print/row_text.h"
#include "rows/grouping.h"

enum {
	TEXTS_MOST = 1000,
	COLUMNS = 300, // wide, because the page has room to show a whole stack
};

struct ranked {
	size_t number;
	uint64_t most;
};

struct group {
	const size_t *members;
	size_t count;
	size_t lead; // the source that leaks, or the largest
};

static int
by_process(const void *left, const void *right)
{
	const struct rate_of_process *a = left, *b = right;

	return (a->process > b->process) - (a->process < b->process);
}

// Returns the highest sum of the members' rates at one time.
static double
rate_of(const struct group *group, const struct grouped *sources)
{
	struct rate_of_process *all = NULL;
	struct report_rates rates = {0};
	size_t count = 0, room = 0;
	double sum = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct joined *joined = &sources->joined[group->members[i]];
		if (!joined_leaks(joined))
			continue;
		// A page of one process keeps no rates.
		sum += joined->rates ? 0 : joined->hourly;
		for (size_t k = 0; joined->rates && k < joined->rates->rate.count; k++) {
			all = memory_grow(all, count, &room, sizeof(*all));
			all[count++] = joined->rates->rate.all[k];
		}
	}
	memory_sort(all, count, sizeof(*all), by_process);
	for (size_t i = 0; i < count; i++)
		report_rates_add(&rates, &all[i]);
	free(all);
	return count > 0 ? report_rates_highest(&rates) : sum;
}

// Writes `[lead, where, rate, growth, member...]`. The rate is null if none of the sources leaks.
static void
write_group(FILE *to, const struct group *group, const struct grouped *sources, const char *name)
{
	struct row row = sources->rows[group->lead];
	double growth = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct joined *joined = &sources->joined[group->members[i]];
		growth += joined_leaks(joined) ? joined->growth : 0;
		if (!name)
			grouping_cut(&row, &sources->rows[group->members[i]]);
	}
	char *text = name ? NULL : row_text(&row);
	fprintf(to, "[%zu,", group->lead);
	data_text(to, name ? name : text);
	if (joined_leaks(&sources->joined[group->lead]))
		fprintf(to, ",%.3f,%.0f", rate_of(group, sources), growth);
	else
		fputs(",null,0", to);
	for (size_t i = 0; i < group->count; i++)
		fprintf(to, ",%zu", group->members[i]);
	fputc(']', to);
	free(text);
}

// Returns the group whose members are these.
static struct group
group_of(const size_t *numbers, size_t count, const struct grouped *sources)
{
	struct group group = {numbers, count, numbers[0]};

	for (size_t i = 1; i < count; i++) {
		bool leaks = joined_leaks(&sources->joined[numbers[i]]);
		if (leaks != joined_leaks(&sources->joined[group.lead]) ? leaks
				: sources->most[numbers[i]] > sources->most[group.lead])
			group.lead = numbers[i];
	}
	return group;
}

void
groups_write(FILE *to, const char *title, const struct grouped *sources, const struct member *members,
	size_t count, size_t least)
{
	const char *between = "\n";
	size_t known = 0;

	for (size_t i = 0; i < count; i++)
		if (members[i].group != GROUPS_NONE && members[i].group >= known)
			known = members[i].group + 1;
	// numbers[] has the members of each group one after another; ends[i] is where group i ends.
	size_t *numbers = memory_get(count, sizeof(*numbers)), *ends = memory_get(known + 1, sizeof(*ends));
	for (size_t i = 0; i < count; i++)
		if (members[i].group != GROUPS_NONE)
			ends[members[i].group + 1]++;
	for (size_t i = 0; i < known; i++)
		ends[i + 1] += ends[i];
	for (size_t i = 0; i < count; i++)
		if (members[i].group != GROUPS_NONE)
			numbers[ends[members[i].group]++] = i;
	fprintf(to, ",\n\"%s\":[", title);
	for (size_t i = 0, from = 0; i < known; from = ends[i++]) {
		if (ends[i] == from || ends[i] - from < least)
			continue;
		struct group group = group_of(numbers + from, ends[i] - from, sources);
		fputs(between, to);
		between = ",\n";
		write_group(to, &group, sources, members[group.lead].name);
	}
	fputc(']', to);
	free(numbers);
	free(ends);
}

// Sorts by the most live bytes, for qsort().
static int
by_most(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->most != b->most)
		return a->most > b->most ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

// No two texts are equal. For many thousands of sources, this would take longer than reading their
// log. So the texts of all but the largest sources are made in the browser, by the page's script.
char **
groups_texts(const struct grouped *sources, size_t count)
{
	struct ranked *ranked = memory_get(count, sizeof(*ranked));
	char **texts = memory_get(count, sizeof(*texts));
	size_t shown = count < TEXTS_MOST ? count : TEXTS_MOST;
	struct row *largest = memory_get(shown, sizeof(*largest));

	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked){i, sources->most[i]};
	qsort(ranked, count, sizeof(*ranked), by_most);
	for (size_t i = 0; i < shown; i++)
		largest[i] = sources->rows[ranked[i].number];
	char **whole = disambiguate(largest, sizeof(*largest), shown);
	char **fit = ellipsis_fit(whole, shown, COLUMNS);
	for (size_t i = 0; i < shown; i++) {
		texts[ranked[i].number] = fit[i];
		free(whole[i]);
	}
	free(whole);
	free(fit);
	free(largest);
	free(ranked);
	return texts;
}
