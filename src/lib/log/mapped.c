// SPDX-License-Identifier: BSD-2-Clause

#include "base/file.h"
#include "base/sys.h"
#include "base/table.h"
#include "base/top_k.h"
#include "sources/mapping_table.h"
#include "log/mapped.h"

enum {
	SHOWN = 32, // sources of mapped memory that a snapshot shows at most; the last shows all
	PLACE_BITS = 10,
	// One snapshot asks the kernel about at most this many pages, which takes some 0.8 ms. Each
	// call counts as at least CALL_PAGES.
	ASKED_PAGES = 16384,
	CALL_PAGES = 128,
	READ_PAGES = 2048, // upper bound of the pages in one call
};

_Static_assert(MAPPING_SOURCES <= 1 << PLACE_BITS, "a key has room for a source's place");

static TABLE_STATIC uint64_t order[MAPPING_SOURCES];
TABLE_STATIC struct mapped_resident mapped_resident[MAPPING_SOURCES];
static SYS_FORK_PAGE bool refused; // the kernel refused to tell: it is not asked again

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

// Chooses the sources with most mapped memory. The sort keys of the chosen sources, at the front of
// order[], are replaced by the sources' numbers.
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

// Asks the kernel how much of a range is resident, for at most about `left` pages, and adds the
// answer. The file has a word of 8 bytes for each page. Its highest bit is set if the page is
// resident (proc(5)). mincore() would be faster, but common sandboxes of services end the process
// for calling it.
static void
ask(struct mapping_range range, int64_t *left, struct mapped_resident *answer)
{
	static TABLE_STATIC uint64_t pages[READ_PAGES];
	uint64_t page = sys_page_bytes();

	while (range.start < range.end && *left > 0 && !refused) {
		uint64_t wanted = (range.end - range.start) / page;
		uint64_t most = (uint64_t)(*left < READ_PAGES ? *left : READ_PAGES);
		long length = file_peek_at("/proc/thread-self/pagemap", range.start / page * sizeof(*pages),
			(char *)pages, (wanted < most ? wanted : most) * sizeof(*pages));
		refused = length == -EACCES || length == -EPERM || length == -ENOSYS;
		uint64_t count = length > 0 ? (uint64_t)length / sizeof(*pages) : 0;
		for (uint64_t i = 0; i < count; i++)
			answer->bytes += (pages[i] >> 63) * page;
		answer->asked += count * page;
		range.start += count * page;
		*left -= (int64_t)(count > CALL_PAGES ? count : CALL_PAGES);
	}
}

void
mapped_ask(const struct mapped *mapped)
{
	int64_t left = ASKED_PAGES;

	for (uint32_t i = 0; i < mapped->shown.shown; i++) {
		struct mapping_range range = {0};
		mapped_resident[i] = (struct mapped_resident){0};
		while (left > 0 && !refused && mapping_table_next((uint32_t)order[i], UINTPTR_MAX, &range))
			ask(range, &left, &mapped_resident[i]);
	}
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
