// long
// pmem: -DPMEM_SOURCES=1024 -DPMEM_LOG_HOURS=0 -DPMEM_CHURN_THRESH=2048
// A program whose stacks fill the table has a source for what comes late all the same: new stacks
// are told apart by fewer of their innermost frames, a note says so, and all numbers are exact.
// The same stack counts as the same source from then on. A large block's has more of its frames.

#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "manystacks.h"

enum { DEPTH = 14, PATHS = 1 << 13, LEAKED = 3000, LARGE = 5000 };

FRAME void *leak_late(void) { return malloc(100); }
FRAME void *leak_large(void) { return malloc(LARGE); }

void
host(void)
{
	for (unsigned i = 0; i < PATHS; i++)
		free(left(DEPTH, i << 1));
	many_leaf = leak_late;
	// They differ in their inner frames.
	for (unsigned i = 0; i < LEAKED; i++)
		left(DEPTH, (i % 100) << (DEPTH - 7));
	many_leaf = leak_large;
	for (unsigned i = 0; i < 10; i++)
		left(DEPTH, i << (DEPTH - 7));
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t blocks = 0;
	uint64_t large = 0;
	int sources = 0;
	char *text = read_file(host_log);

	expect(log_loss(last, "table_full") == 0 && !log_by_id(last, "other"));
	expect(last->sources < last->sources_max);
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *entry = &last->entries[i];
		if (entry->depth > 1 && strstr(entry->frames[1], "leak_large")) {
			expect(entry->depth > DEPTH);
			large += entry->counts.blocks;
		}
		if (entry->depth < 2 || !strstr(entry->frames[1], "leak_late"))
			continue;
		sources++;
		blocks += entry->counts.blocks;
		expect(entry->depth >= 4 && entry->depth < DEPTH);
	}
	printf("figure: %d sources of %d paths\n", sources, 100);
	expect_equal(blocks, LEAKED);
	expect(sources >= 1 && sources <= 100);
	expect_equal(large, 10);
	expect_equal(last->total.allocs - host_idle_totals().allocs, PATHS + LEAKED + 10);
	expect_equal(last->total.live - host_idle_totals().live, LEAKED * 100 + 10 * LARGE);
	expect(log_loss(last, "stacks_cut") >= 100);
	const char *note = strstr(text, "# note CALLERS ARE MISSING from here on: a new stack keeps its 32 innermost "
		"frames, or its innermost line, since 1024 sources are too few; build with CFLAGS=-DPMEM_SOURCES=4096\n");
	expect(note && strstr(note, " 16 innermost") && strstr(note, " 8 innermost"));
}
