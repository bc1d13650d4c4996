// SPDX-License-Identifier: BSD-2-Clause

#include "base/top_k.h"
#include "sources/mapping_table.h"
#include "log/mapped.h"

enum {
	SHOWN = 32, // most sources of mapped memory that any snapshot but the last shows
	PLACE_BITS = 10,
};

_Static_assert(MAPPING_SOURCES <= 1 << PLACE_BITS, "a key has room for a source's place");

static TABLE_STATIC uint64_t order[MAPPING_SOURCES];

static struct change
change_at(uint32_t place)
{
	const struct mapping_source *source = mapping_table_at(place);
	return (struct change){source->now, source->before};
}

static void
add(struct change *sum, const struct change *more)
{
	counter_add(&sum->now, &more->now);
	counter_add(&sum->before, &more->before);
}

// Keeps the sources that have most memory mapped. Their sort keys, at the front of order[], are
// replaced by their numbers.
static void
choose(struct selection *shown, bool all)
{
	uint32_t found = shown->all;

	shown->shown = all || found < SHOWN ? found : SHOWN;
	top_k_select(order, found, shown->shown, top_k_largest);
	for (uint32_t i = 0; i < shown->shown; i++)
		order[i] = mapping_table_at((uint32_t)order[i] & ((1 << PLACE_BITS) - 1))->source;
}

void
mapped_look(struct mapped *mapped, bool all)
{
	uint32_t count = mapping_table_look();

	*mapped = (struct mapped){.shown.sources = order};
	for (uint32_t i = 0; i < count; i++) {
		struct change change = change_at(i);
		bool moved = counter_moved(&change.now, &change.before);
		add(&mapped->total, &change);
		mapped->moved = mapped->moved || moved;
		if (i == 0)
			mapped->other = change;
		else if (moved || (all && counter_holds(&change.now)))
			order[mapped->shown.all++] = counter_live(&change.now) << PLACE_BITS | i;
	}
	choose(&mapped->shown, all);
}

struct change
mapped_change(uint32_t source)
{
	uint32_t i = 0;
	while (mapping_table_at(i)->source != source)
		i++;
	return change_at(i);
}

void
mapped_sum_rest(struct mapped *mapped)
{
	mapped->rest = mapped->total;
	for (uint32_t i = 0; i <= mapped->shown.shown; i++) {
		struct change change = i == 0 ? mapped->other : mapped_change((uint32_t)order[i - 1]);
		counter_subtract(&mapped->rest.now, &change.now);
		counter_subtract(&mapped->rest.before, &change.before);
	}
}
