// on each allocator
// of glibc
// Libraries behind us whose malloc() is another public function, which is ours: preloaded, or
// linked to the program. The program starts, what it allocates is counted once, and as it would
// be without them: the library's calls of public functions are part of its own.

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static const struct {
	const char *name;
	const char *text;
} wrappers[] = {
	{"calloc", "void *malloc(size_t n) { return calloc(1, n); }\n"},
	{"realloc", "void *malloc(size_t n) { return realloc(0, n); }\n"},
	{"aligned", "void *malloc(size_t n) { return aligned_alloc(64, (n + 63) & ~(size_t)63); }\n"},
	{"posix", "void *malloc(size_t n) { void *p; return posix_memalign(&p, 32, n) ? 0 : p; }\n"},
	{"all", "#include <string.h>\n#include <malloc.h>\n"
		"void *malloc(size_t n) { return memalign(16, n); }\n"
		"void *calloc(size_t n, size_t m) { void *p = malloc(n * m);\n"
		"    return p ? memset(p, 0, n * m) : p; }\n"
		"void *realloc(void *p, size_t n) { void *q = memalign(16, n); size_t had = 0;\n"
		"    if (p && q) { had = malloc_usable_size(p);\n"
		"        memcpy(q, p, had < n ? had : n); free(p); } return q; }\n"},
};

enum { WRAPPERS = sizeof(wrappers) / sizeof(*wrappers), ROUNDS = 2000 };

static void
work(void)
{
	static char *kept[ROUNDS];
	for (size_t i = 0; i < ROUNDS; i++) {
		kept[i] = malloc(i);
		memset(kept[i], 'm', i);
		kept[i] = realloc(kept[i], 2 * i + 1);
		for (size_t at = 0; at < i; at++)
			expect(kept[i][at] == 'm');
		char *zeroed = calloc(3, i);
		for (size_t at = 0; at < 3 * i; at++)
			expect(zeroed[at] == 0);
		free(zeroed);
		free(strdup("once"));
		if (i % 3 == 0) {
			free(kept[i]);
			kept[i] = NULL;
		}
	}
}

void
host(void)
{
	if (strcmp(host_role(), "work") == 0)
		work();
}

static struct log_counts
totals(void)
{
	struct logfile log;

	read_log_of(&log, again_pid);
	expect(log.note_count == 0 && log.snapshot_count > 0);
	expect_equal(log_loss(log_last(&log), "untracked_frees"), 0);
	expect_equal(log_loss(log_last(&log), "damaged"), 0);
	expect_equal(log_loss(log_last(&log), "nested"), 0);
	return log_last(&log)->total;
}

static void
expect_same(struct log_counts a, struct log_counts b)
{
	expect_equal(a.allocs, b.allocs);
	expect_equal(a.alloc, b.alloc);
	expect_equal(a.frees, b.frees);
	expect_equal(a.free, b.free);
}

void
check(const struct logfile *none)
{
	char preload[1000], file[100], flags[1200];
	static const char head[] = "#include <stdlib.h>\nvoid *aligned_alloc(size_t, size_t);\n";
	char text[4000];

	(void)none;
	expect_equal(run_again("work", true, NULL), 0);
	struct log_counts alone = totals();
	for (int i = 0; i < WRAPPERS; i++) {
		for (const char *jump = "02"; *jump; jump++) {
			snprintf(file, sizeof(file), "./%s%c.so", wrappers[i].name, *jump);
			snprintf(text, sizeof(text), "%s%s", head, wrappers[i].text);
			snprintf(flags, sizeof(flags), "-w -shared -fPIC -fno-builtin -O%c", *jump);
			build_c(file, flags, text);
			fprintf(stderr, "%s\n", file);
			expect_equal(run_preloaded("work", file, NULL), 0);
			snprintf(preload, sizeof(preload), "%s %s", host_library(), file);
			expect_equal(run_preloaded("work", preload, NULL), 0);
			expect_same(totals(), alone);
		}
	}
}
