// An allocator beneath us may give pointers with a tag in their top byte, which aarch64 ignores: its blocks
// are counted, resized and freed as any others. Elsewhere the allocator gives plain pointers.

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { BLOCKS = 3000, THREADS = 3 };

static const char ALLOCATOR[] =
	"#include <errno.h>\n#include <pthread.h>\n#include <stddef.h>\n#include <stdint.h>\n"
	"#include <string.h>\n#include <sys/mman.h>\n#include <sys/prctl.h>\n"
	"#ifdef __aarch64__\n#define TAGS 255\n#else\n#define TAGS 0\n#endif\n"
	"static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
	"static char *all; static size_t used; static unsigned long count; static void *spare[64];\n"
	"static uintptr_t plain(void *p) { return TAGS ? (uintptr_t)p << 8 >> 8 : (uintptr_t)p; }\n"
	// The kernel is told that pointers have tags.
	"static void start(void) { prctl(55, 1, 0, 0, 0);\n"
	"	all = mmap(0, 1ul << 34, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); }\n"
	"void *aligned_alloc(size_t a, size_t n) {\n"
	"	size_t room = 64; int class = 6;\n"
	"	if (n > 1ul << 32) { errno = ENOMEM; return 0; }\n"
	"	while (room < n) room *= 2, class++;\n"
	"	if (a < 64) a = 64;\n"
	"	pthread_mutex_lock(&lock);\n"
	"	if (!all) start();\n"
	"	char *p = a == 64 ? spare[class] : 0;\n"
	"	if (p) memcpy(&spare[class], p, 8);\n"
	"	else { used = (used + 64 + a - 1) & -a; p = all + used; used += room; }\n"
	"	uintptr_t tag = TAGS ? count++ % TAGS : 0;\n"
	"	pthread_mutex_unlock(&lock);\n"
	"	((size_t *)p)[-2] = room; ((size_t *)p)[-1] = class;\n"
	"	return (void *)((uintptr_t)p | tag << (TAGS ? 56 : 0)); }\n"
	"void *memalign(size_t a, size_t n) { return aligned_alloc(a, n); }\n"
	"int posix_memalign(void **p, size_t a, size_t n) { return (*p = aligned_alloc(a, n)) ? 0 : ENOMEM; }\n"
	"void *malloc(size_t n) { return aligned_alloc(64, n); }\n"
	"void *calloc(size_t n, size_t m) { void *p = malloc(n * m); return p ? memset(p, 0, n * m) : p; }\n"
	"size_t malloc_usable_size(void *p) { return p ? ((size_t *)plain(p))[-2] : 0; }\n"
	"void free(void *p) {\n"
	"	if (!p) return;\n"
	"	char *at = (char *)plain(p); size_t class = ((size_t *)at)[-1];\n"
	"	pthread_mutex_lock(&lock);\n"
	"	memcpy(at, &spare[class], 8); spare[class] = at;\n"
	"	pthread_mutex_unlock(&lock); }\n"
	"void *realloc(void *p, size_t n) {\n"
	"	size_t had = malloc_usable_size(p);\n"
	"	if (p && n <= had && n > had / 2) return p;\n"
	"	void *to = malloc(n);\n"
	"	if (to && p) { memcpy(to, p, had < n ? had : n); free(p); }\n"
	"	return to; }\n";

static char *kept[THREADS][BLOCKS];

FRAME char *keep(size_t bytes) { return malloc(bytes); }
FRAME char *grow(char *block, size_t bytes) { return realloc(block, bytes); }
FRAME char *align(size_t bytes) { return memalign(256, bytes); }

static void *
run(void *number)
{
	char **mine = kept[(intptr_t)number];

	for (int i = 0; i < BLOCKS; i++) {
		size_t bytes = (size_t)(i % 1500) + 1;
		mine[i] = i % 5 == 0 ? align(bytes) : keep(bytes);
		memset(mine[i], i & 127, malloc_usable_size(mine[i]));
		if (i % 3 == 1)
			mine[i] = grow(mine[i], bytes * 2);
		if (i % 3 == 2)
			free(mine[i]);
	}
	for (int i = 0; i < BLOCKS; i++)
		expect(i % 3 == 2 || mine[i][i % 1500] == (i & 127));
	return NULL;
}

void
host(void)
{
	pthread_t threads[THREADS];

	if (strcmp(host_role(), "work") != 0)
		return;
	for (intptr_t i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

void
check(const struct logfile *none)
{
	struct logfile log;
	char preload[1024];
	uint64_t grown = 0, others = 0;

	(void)none;
	build_c("./tags.so", "-shared -fPIC", ALLOCATOR);
	snprintf(preload, sizeof(preload), "%s:./tags.so", host_library());
	expect_equal(run_preloaded("work", preload, NULL), 0);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	for (int i = 0; i < BLOCKS; i++) {
		grown += i % 3 == 1 ? (uint64_t)(i % 1500 + 1) * 2 : 0;
		others += i % 3 == 0 ? (uint64_t)(i % 1500 + 1) : 0;
	}
	expect_equal(log_sum(last, "(grow+").live, grown * THREADS);
	expect_equal(log_sum(last, "(keep+").live + log_sum(last, "(align+").live, others * THREADS);
	expect_equal(log_sum(last, "(keep+").blocks + log_sum(last, "(align+").blocks, BLOCKS / 3 * THREADS);
	expect_equal(log_loss(last, "tags_full") + log_loss(last, "untracked_frees")
		+ log_loss(last, "unseen_frees"), 0);
}
