// An allocator beneath us that has no malloc_usable_size(): the C library's must not be asked
// about its blocks. The program runs as without us, and the log says why it is empty.

#include <stdlib.h>
#include <string.h>

#include "host.h"

// Blocks end where the next begins, and what stands before them is no header of glibc's.
static const char plain_malloc[] =
	"#include <string.h>\n#include <stddef.h>\n"
	"static char heap[16 << 20] __attribute__((aligned(16))); static size_t used;\n"
	"void *malloc(size_t n) { size_t *p = (void *)(heap + __atomic_fetch_add(&used,\n"
	"    16 + ((n + 15) & -16ul), __ATOMIC_RELAXED)); p[0] = n; p[1] = (size_t)-1; return p + 2; }\n"
	"void free(void *p) { if (p) memset(p, 0xdd, ((size_t *)p)[-2]); }\n"
	"void *calloc(size_t n, size_t m) { return memset(malloc(n * m), 0, n * m); }\n"
	"void *realloc(void *p, size_t n) { void *q = malloc(n);\n"
	"    if (p) { size_t had = ((size_t *)p)[-2]; memcpy(q, p, had < n ? had : n); free(p); }\n"
	"    return q; }\n"
	"int posix_memalign(void **p, size_t a, size_t n) { (void)a, (void)n; *p = NULL; return 12; }\n";

void
host(void)
{
	if (strcmp(host_role(), "work") != 0)
		return;
	for (int round = 0; round < 100; round++) {
		char *blocks[100];
		for (int i = 0; i < 100; i++) {
			blocks[i] = malloc((size_t)i * 7);
			memset(blocks[i], i, (size_t)i * 7);
		}
		for (int i = 0; i < 100; i++) {
			for (int n = 0; n < i * 7; n++)
				expect(blocks[i][n] == i);
			blocks[i] = realloc(blocks[i], (size_t)i * 8);
			free(blocks[i]);
		}
	}
	puts("done");
}

void
check(const struct logfile *none)
{
	char libraries[1000], path[32];

	(void)none;
	build_c("plain.so", "-shared -fPIC", plain_malloc);
	expect_equal(run_preloaded("work", "./plain.so", "alone"), 0);
	snprintf(libraries, sizeof(libraries), "%s ./plain.so", host_library());
	expect_equal(run_preloaded("work", libraries, "under"), 0);
	expect(strcmp(read_file("alone"), read_file("under")) == 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	const char *text = read_file(path);
	expect(strstr(text, "# note the malloc beneath is that of ") != NULL);
	expect(strstr(text, "plain.so, which does not tell the size of its blocks") != NULL);
	expect(strstr(text, "\n[") == NULL);
}
