// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "html/data_text.h"
#include "html/groups.h"
#include "print/row_text.h"
#include "rows/grouping.h"

struct group {
	size_t *members;
	size_t count, room;
	size_t lead; // the source that leaks, or the largest
};

static bool
leads(const struct member *member, const struct member *before)
{
	bool leaks = joined_leaks(member->joined);

	if (leaks != joined_leaks(before->joined))
		return leaks;
	return member->most > before->most;
}

static char *
text_of(const struct group *group, const struct member *members)
{
	struct row row = *members[group->lead].row;

	for (size_t i = 0; i < group->count; i++)
		grouping_cut(&row, members[group->members[i]].row);
	return row_text(&row);
}

// Writes `[lead, where, rate, growth, member...]`. The rate is null if none of the sources leaks.
static void
write_group(FILE *to, const struct group *group, const struct member *members)
{
	const char *name = members[group->lead].name;
	char *text = name ? NULL : text_of(group, members);
	double rate = 0, growth = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct joined *joined = members[group->members[i]].joined;
		rate += joined_leaks(joined) ? joined->hourly : 0;
		growth += joined_leaks(joined) ? joined->growth : 0;
	}
	fprintf(to, "[%zu,", group->lead);
	data_text(to, name ? name : text);
	if (joined_leaks(members[group->lead].joined))
		fprintf(to, ",%.3f,%.0f", rate, growth);
	else
		fputs(",null,0", to);
	for (size_t i = 0; i < group->count; i++)
		fprintf(to, ",%zu", group->members[i]);
	fputc(']', to);
	free(text);
}

void
groups_write(FILE *to, const char *title, const struct member *members, size_t count, size_t least)
{
	struct group *groups = NULL;
	size_t known = 0, room = 0;
	const char *between = "\n";

	for (size_t i = 0; i < count; i++) {
		if (members[i].group == GROUPS_NONE)
			continue;
		for (; known <= members[i].group; known++) {
			groups = memory_grow(groups, known, &room, sizeof(*groups));
			groups[known] = (struct group){0};
		}
		struct group *group = &groups[members[i].group];
		group->members = memory_grow(group->members, group->count, &group->room,
			sizeof(*group->members));
		if (group->count == 0 || leads(&members[i], &members[group->lead]))
			group->lead = i;
		group->members[group->count++] = i;
	}
	fprintf(to, ",\n\"%s\":[", title);
	for (size_t i = 0; i < known; i++) {
		if (groups[i].count >= least) {
			fputs(between, to);
			between = ",\n";
			write_group(to, &groups[i], members);
		}
		free(groups[i].members);
	}
	fputc(']', to);
	free(groups);
}
