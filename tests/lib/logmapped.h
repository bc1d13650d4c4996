// logmapped: what a log's snapshot says of memory that the program has mapped itself, and whether it
// adds up. For logfile.c alone.

#ifndef TESTS_LOGMAPPED_H
#define TESTS_LOGMAPPED_H

#include "lognumbers.h"

static bool
are_equal(const struct log_counts *a, const struct log_counts *b)
{
	return a->live == b->live && a->alloc == b->alloc && a->free == b->free
		&& a->blocks == b->blocks && a->allocs == b->allocs && a->frees == b->frees;
}

static void
check_mapped(struct parse *parse, const struct log_snapshot *snapshot,
	const struct log_snapshot *last)
{
	struct log_counts sum = {0};

	for (int i = 0; i < snapshot->map_count; i++) {
		const struct log_source *entry = &snapshot->maps[i];
		add_counts(&sum, &entry->counts);
		check_counts(parse, entry->id, &entry->counts);
		if (is_source(entry) && entry->depth < 2)
			complain(parse, "{%s}: no stack", entry->id);
		if (entry->counts.live % 4096 != 0)
			complain(parse, "{%s}: no pages", entry->id);
	}
	check_counts(parse, "mapped", &snapshot->mapped);
	if (!are_equal(&sum, &snapshot->mapped))
		complain(parse, "mapped=, map=, unmap= are not the sum of the entries");
	if (!last || snapshot->number != last->number + 1)
		return;
	sum.alloc_more += last->mapped.alloc;
	sum.allocs_more += last->mapped.allocs;
	if (sum.alloc_more != sum.alloc || sum.allocs_more != sum.allocs)
		complain(parse, "the deltas of what was mapped do not make the totals");
}

#endif
