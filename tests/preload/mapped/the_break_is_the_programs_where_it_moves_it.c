// on each allocator
// link: -rdynamic
// of glibc
// Memory that a program gets by sbrk() and brk() is recorded by stack, page by page, until the program gives
// it back. Memory that the allocator beneath malloc() gets by these calls is not the program's.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum { PAGE = 4096, MEBI = 1 << 20 };

// Makes jemalloc move the break, too. tcmalloc and glibc do so by themselves.
const char *malloc_conf = "dss:primary";

FRAME void by_sbrk(intptr_t bytes) { use(sbrk(bytes)); }
FRAME void by_brk(char *at) { expect(brk(at) == 0); }

static uint64_t
pages(uintptr_t start, uintptr_t end)
{
	return (end + PAGE - 1) / PAGE - (start + PAGE - 1) / PAGE;
}

void
host(void)
{
	char *malloced = malloc(2000000);
	memset(malloced, 1, 2000000);
	use(malloced);
	char *start = sbrk(0);
	by_sbrk(100);
	by_sbrk(100);
	by_sbrk(5 * MEBI);
	by_brk((char *)sbrk(0) + 2 * MEBI);
	by_sbrk(-3 * MEBI);
	by_brk((char *)sbrk(0) - MEBI);
	by_brk((char *)sbrk(0) + MEBI / 2);
	char *end = sbrk(0);
	memset(start, 1, (size_t)(end - start));

	// These calls are refused, or have no effect.
	errno = 0;
	expect(sbrk((intptr_t)1 << 46) == (void *)-1 && errno == ENOMEM);
	errno = 0;
	expect(brk(end + ((intptr_t)1 << 46)) == -1 && errno == ENOMEM);
	by_brk(NULL);
	errno = 77;
	expect(sbrk(0) == end && errno == 77);

	leave_number("pages", pages((uintptr_t)start, (uintptr_t)end));
	// The allocator moves the same break.
	for (int i = 0; i < 100; i++)
		use(memset(malloc(100000), 1, 100000));
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const uint64_t kept = left_number("pages");

	expect(last != NULL);
	const struct log_source *sbrk_source = log_mapped_by(last, "by_sbrk");
	const struct log_source *brk_source = log_mapped_by(last, "by_brk");
	expect(sbrk_source && brk_source && kept > 3 * MEBI / PAGE);
	expect_equal(brk_source->counts.live, MEBI / 2);
	expect(strstr(brk_source->frames[0], "(brk+0x0)"));
	expect(last->mapped.free >= 4 * MEBI);
	uint64_t sum = last->mapped.live;
	// tcmalloc has its stacks from a library, which maps pages for itself.
	for (int i = 0; i < last->map_count; i++) {
		if (last->maps[i].depth > 1 && strstr(last->maps[i].frames[1], "libunwind"))
			sum -= last->maps[i].counts.live;
	}
	expect_equal(sum, kept * PAGE);
	expect_equal(log_loss(last, "mappings_missed"), 0);
}
