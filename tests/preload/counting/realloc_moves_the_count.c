// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1000000000
// realloc() takes the block off the source that had it and gives it to the one that asked,
// with the new size: grown, shrunk, moved, failed, to nothing.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static void *kept[2];

FRAME void *first(size_t bytes) { void *p = malloc(bytes); use(p); return p; }
FRAME void *grow(void *p, size_t bytes) { p = realloc(p, bytes); use(p); return p; }
FRAME void *shrink(void *p, size_t bytes) { p = realloc(p, bytes); use(p); return p; }
FRAME void *fail(void *p) { void *q = realloc(p, (size_t)1 << 62); use(q); return q; }
FRAME void *fail_array(void *p) { void *q = reallocarray(p, (size_t)1 << 62, 8); use(q); return q; }
FRAME void *vanish(void *p) { void *q = realloc(p, 0); use(q); return q; }

void
host(void)
{
	for (int i = 0; i < 100; i++) {
		char *p = first(100);
		memset(p, 'x', 100);
		p = grow(p, 100000 + (size_t)i);
		expect(p[0] == 'x' && p[99] == 'x');
		p = shrink(p, 50);
		expect(p[0] == 'x' && p[49] == 'x');
		errno = 0;
		expect(fail(p) == NULL && errno == ENOMEM);
		errno = 0;
		expect(fail_array(p) == NULL && errno == ENOMEM);
		expect(p[49] == 'x');
		if (i < 2)
			kept[i] = p;
		else if (i < 50)
			free(p);
		else
			free(vanish(p)); // some give a block
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_source *from = log_from(last, "shrink");
	expect(from != NULL);
	expect_equal(from->counts.live, 100);
	expect_equal(from->counts.blocks, 2);
	expect_equal(from->counts.allocs, 100);
	expect_equal(from->counts.frees, 98);
	expect_equal(from->counts.alloc, 5000);
	const struct log_source *first = log_empty_from(last, "first");
	const struct log_source *grown = log_empty_from(last, "grow");
	expect(first && first->counts.allocs == 100 && first->counts.frees == 100);
	expect(grown && grown->counts.allocs == 100 && grown->counts.frees == 100);
	struct log_counts idle = host_idle_totals();
	expect_equal(last->total.alloc - idle.alloc,
		100 * (100 + 50) + 100 * 100000 + 99 * 100 / 2);
	expect_equal(last->total.live - idle.live, 100);
	uint64_t nothings = last->total.allocs - idle.allocs - 300;
#ifdef __GLIBC__
	expect(nothings == (host_allocator_is("mimalloc") ? 50 : 0));
#else
	expect(nothings == 50); // musl, too, gives a block
#endif
	expect_equal(log_loss(last, "untracked_frees"), 0);
}
