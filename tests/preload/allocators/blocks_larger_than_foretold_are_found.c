// An allocator that samples some blocks, aligned to a page and larger than its nallocx() says, as
// tcmalloc does where it is built so: each block is counted and found again.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

// As gperftools' tcmalloc is known by. Sizes stand before the blocks.
static const char allocator[] =
	"#include <stddef.h>\n#include <stdint.h>\n#include <errno.h>\n#include <string.h>\n"
	"#include <sys/mman.h>\n"
	"static char *at, *end; static unsigned count;\n"
	"size_t nallocx(size_t n, int f) { (void)f; return n < 16 ? 16 : (n + 15) & -(size_t)16; }\n"
	"const char *tc_version(int *a, int *b, const char **c)"
	" { *a = 2; *b = 10; *c = \"\"; return \"2.10\"; }\n"
	"static void *give(size_t alignment, size_t usable) {\n"
	"	uintptr_t block = ((uintptr_t)at + 16 + alignment - 1) & -alignment;\n"
	"	if (alignment < 4096 && block % 4096 == 0) block += 16;\n"
	"	if (!at || block + usable > (uintptr_t)end) {\n"
	"		size_t more = usable + alignment + (64 << 20);\n"
	"		at = mmap(0, more, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); end = at + more;\n"
	"		return at == MAP_FAILED ? NULL : give(alignment, usable);\n"
	"	}\n"
	"	((size_t *)block)[-1] = usable; at = (char *)block + usable; return (void *)block; }\n"
	"void *malloc(size_t n) {\n"
	"	return ++count % 5 ? give(16, nallocx(n, 0)) : give(4096, (n + 4095) & -(size_t)4096); }\n"
	"void free(void *block) { (void)block; }\n"
	"void *calloc(size_t n, size_t m) { return malloc(n * m); }\n"
	"size_t malloc_usable_size(void *block) { return block ? ((size_t *)block)[-1] : 0; }\n"
	"void *realloc(void *old, size_t n) { void *block = malloc(n);\n"
	"	size_t had = malloc_usable_size(old);\n"
	"	if (block && old) memcpy(block, old, had < n ? had : n); return block; }\n"
	"int posix_memalign(void **block, size_t a, size_t n)"
	" { *block = give(a < 16 ? 16 : a, nallocx(n, 0)); return *block ? 0 : ENOMEM; }\n";

FRAME void *
allocate(size_t bytes)
{
	char *volatile block = malloc(bytes);
	return block;
}

void
host(void)
{
	if (!host_role()[0])
		return;
	void *blocks[100];
	int sampled = 0;
	for (unsigned round = 0; round < 100; round++) {
		for (size_t i = 0; i < 100; i++) {
			blocks[i] = allocate(8 * i + round % 8);
			sampled += (uintptr_t)blocks[i] % 4096 == 0;
		}
		for (size_t i = 0; i < 100; i++)
			free(blocks[i]);
	}
	expect(sampled > 100);
}

void
check(const struct logfile *log)
{
	struct logfile other;
	char preload[1000];

	(void)log;
	build_c("./sampling.so", "-shared -fPIC -O1 -fno-builtin", allocator);
	snprintf(preload, sizeof(preload), "%s:./sampling.so", host_library());
	expect_equal(run_preloaded("allocate", preload, NULL), 0);
	read_log_of(&other, again_pid);
	const struct log_snapshot *last = log_last(&other);
	expect(last->total.frees >= 10000);
	expect(last->total.blocks < 10);
	expect_equal(log_loss(last, "untracked_frees") + log_loss(last, "damaged"), 0);
}
