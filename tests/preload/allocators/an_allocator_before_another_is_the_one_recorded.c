// An allocator beneath us, and behind it another that has functions which the first lacks. The
// first is no wrapper of the other: all is counted, and the other's functions, whose blocks the
// first would be given to free, are not called.

#include <malloc.h>
#include <stdlib.h>

#include "host.h"

enum { BLOCKS = 100 };

// Blocks begin 16 bytes behind a page's start, as a wrapper's would.
static const char first[] =
	"#include <string.h>\n#include <stddef.h>\n"
	"static char heap[64 << 20] __attribute__((aligned(4096))); static size_t used;\n"
	"void *memalign(size_t a, size_t n) { size_t lead = a < 16 ? 16 : a;\n"
	"    char *p = heap + __atomic_fetch_add(&used, (lead + n + 512 + 4095) & -4096ul,\n"
	"    __ATOMIC_RELAXED) + lead; ((size_t *)p)[-1] = (n + 255) & -256ul; return p; }\n"
	"void *malloc(size_t n) { return memalign(16, n); }\n"
	"void free(void *p) { (void)p; }\n"
	"size_t malloc_usable_size(void *p) { return p ? ((size_t *)p)[-1] : 0; }\n"
	"void *calloc(size_t n, size_t m) { return malloc(n * m); }\n"
	"void *realloc(void *p, size_t n) { void *q = malloc(n);\n"
	"    size_t had = malloc_usable_size(p);\n"
	"    return p ? memcpy(q, p, had < n ? had : n) : q; }\n"
	"void *aligned_alloc(size_t a, size_t n) { return memalign(a, n); }\n"
	"int posix_memalign(void **p, size_t a, size_t n) { *p = memalign(a, n); return 0; }\n";

static const char second[] =
	"#include <stdlib.h>\n"
	"size_t malloc_usable_size(void *p) { (void)p; abort(); }\n"
	"void *malloc(size_t n) { (void)n; abort(); }\n"
	"void free(void *p) { (void)p; abort(); }\n"
	"void *valloc(size_t n) { (void)n; abort(); }\n"
	"void *pvalloc(size_t n) { (void)n; abort(); }\n";

FRAME void kept(void) { use(malloc(100)); }
FRAME void kept_page(void) { void *p = valloc(100); expect((uintptr_t)p % 4096 == 0); use(p); }

void
host(void)
{
	for (int i = 0; host_role()[0] && i < BLOCKS; i++) {
		kept();
		kept_page();
		free(pvalloc(10));
		free(malloc(4000));
	}
}

void
check(const struct logfile *none)
{
	struct logfile log;
	char libraries[1000];

	(void)none;
	build_c("first.so", "-shared -fPIC", first);
	build_c("second.so", "-shared -fPIC", second);
	snprintf(libraries, sizeof(libraries), "%s ./first.so ./second.so", host_library());
	expect_equal((uint64_t)run_preloaded("work", libraries, NULL), 0);
	read_log_of(&log, again_pid);
	expect(log.note_count == 0 && log.snapshot_count > 0);
	const struct log_snapshot *last = log_last(&log);
	expect_equal(log_from(last, "kept")->counts.blocks, BLOCKS);
	expect_equal(log_from(last, "kept_page")->counts.live, BLOCKS * 100);
	expect(log_lost_nothing(last));
}
