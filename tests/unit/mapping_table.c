// A call that failed may have unmapped some of what was there before: that counts as unmapped, and the
// rest stays counted, each by the source that mapped it. What is reserved counts nowhere, before and after.

#include <sys/mman.h>

#include "unit.h"
#include "base/libc.h"
#include "base/sys.h"
#include "sources/mapping_table.h"

enum { PAGE = 4096, FIRST = 7, SECOND, THIRD };

static char *at;

static struct mapping_range
pages(int from, int count)
{
	return (struct mapping_range){(uintptr_t)at + (uintptr_t)from * PAGE,
		(uintptr_t)at + (uintptr_t)(from + count) * PAGE};
}

static void
expect_pages(uint32_t source, uint64_t live, uint64_t mappings)
{
	uint32_t count = mapping_table_look();

	for (uint32_t i = 0; i < count; i++) {
		const struct mapping_source *found = mapping_table_at(i);
		if (found->source != source)
			continue;
		expect(counter_live(&found->now) == live * PAGE);
		expect(found->now.allocs - found->now.frees == mappings);
		return;
	}
	expect(!"there is such a source");
}

int
main(void)
{
	struct mapping_taken taken;

	expect(libc_start());
	at = mmap(NULL, 20 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(at != MAP_FAILED);
	mapping_table_add(pages(0, 4), FIRST);
	mapping_table_add(pages(4, 3), SECOND);
	mapping_table_add(pages(7, 3), MAPPING_RESERVED);
	mapping_table_add(pages(10, 10), THIRD);

	// As with MAP_FIXED: the first piece is cut, the second is gone, the others are still there.
	mapping_table_take(pages(2, 12), &taken);
	expect(taken.count == 4);
	expect(munmap(at + 4 * PAGE, 3 * PAGE) == 0);
	mapping_table_taken(&taken, false);
	expect_pages(FIRST, 4, 2);
	expect_pages(SECOND, 0, 0);
	expect_pages(THIRD, 10, 2);
	struct mapping_range range = {0};
	expect(mapping_table_next(MAPPING_RESERVED, UINTPTR_MAX, &range));
	expect(range.start == pages(7, 3).start && range.end == pages(7, 3).end);

	// The call that succeeds has unmapped all.
	mapping_table_take(pages(0, 20), &taken);
	mapping_table_taken(&taken, true);
	expect_pages(FIRST, 0, 0);
	expect_pages(THIRD, 0, 0);
	expect(!mapping_table_has_any());
	return 0;
}
