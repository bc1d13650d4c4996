// on each allocator
// A preload between us and the allocator that puts a header before each block, as
// libmemusage.so does: what the allocator says of such a block ends behind it. The program runs
// as without us, and the log says why it is empty.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

// 32 bytes before a block: how many it has, and a mark.
static const char headers[] =
	"#include <dlfcn.h>\n#include <stddef.h>\n#include <string.h>\n"
	"struct header { size_t bytes, mark, room[2]; };\n"
	"#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))\n"
	"void *malloc(size_t n); void free(void *p);\n"
	"void *malloc(size_t n) { struct header *p = NEXT(malloc)(sizeof(*p) + n);\n"
	"    if (!p) return NULL; p->bytes = n; p->mark = 0xfeedbeef; return p + 1; }\n"
	"void free(void *p) { struct header *h = (struct header *)p - 1; if (!p) return;\n"
	"    if (h->mark != 0xfeedbeef) { NEXT(free)(p); return; }\n"
	"    memset(h, 0xdd, sizeof(*h) + h->bytes); NEXT(free)(h); }\n"
	"void *calloc(size_t n, size_t m) { void *p = malloc(n * m); return p ? memset(p, 0, n * m) : p; }\n"
	"void *realloc(void *p, size_t n) { void *q = malloc(n);\n"
	"    if (p) { size_t had = ((struct header *)p)[-1].bytes;\n"
	"        memcpy(q, p, had < n ? had : n); free(p); }\n"
	"    return q; }\n";

enum { BLOCKS = 2000 };

void
host(void)
{
	static unsigned char *blocks[BLOCKS];
	if (strcmp(host_role(), "work") != 0)
		return;
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < BLOCKS; i++) {
			size_t bytes = (size_t)i * 3 + 1;
			blocks[i] = realloc(blocks[i], bytes);
			memset(blocks[i], i & 0xff, bytes);
		}
		for (int i = 0; i < BLOCKS; i++)
			for (int n = 0; n < i * 3 + 1; n++)
				expect(blocks[i][n] == (i & 0xff));
		for (int i = round % 3; i < BLOCKS; i += 3) {
			free(blocks[i]);
			blocks[i] = NULL;
		}
	}
	puts("done");
}

void
check(const struct logfile *none)
{
	char libraries[1000], path[32];

	(void)none;
	build_c("headers.so", "-shared -fPIC -fno-builtin -O1", headers);
	expect_equal(run_preloaded("work", "./headers.so", "alone"), 0);
	snprintf(libraries, sizeof(libraries), "%s ./headers.so", host_library());
	int status = run_preloaded("work", libraries, "under");
	fprintf(stderr, "%s", read_file("under"));
	expect_equal(status, 0);
	expect(strcmp(read_file("alone"), read_file("under")) == 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	const char *text = read_file(path);
	expect(strstr(text, "headers.so, which does not tell the size of its blocks") != NULL);
	expect(strstr(text, "\n[") == NULL);
}
