// of glibc
// A preload that stands before us and has a malloc of its own: nothing is recorded but what it
// hands on, nothing breaks, and the log says so. One that hands on to us is recorded as usual,
// as is one that stands behind us, of which the log has no word.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static const char THEIRS[] =
	"#include <stddef.h>\n"
	"void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);\n"
	"void __libc_free(void *);\n"
	"void *malloc(size_t n) { return __libc_malloc(n); }\n"
	"void *calloc(size_t n, size_t m) { return __libc_calloc(n, m); }\n"
	"void *realloc(void *p, size_t n) { return __libc_realloc(p, n); }\n"
	"void free(void *p) { __libc_free(p); }\n";

// Another, with malloc() alone: the rest comes to us, some of it before our constructor.
static const char MALLOC_ALONE[] =
	"#include <malloc.h>\n#include <stdlib.h>\n"
	"void *__libc_malloc(size_t);\n"
	"void *malloc(size_t n) { return __libc_malloc(n); }\n"
	"void *early[3];\n"
	"__attribute__((constructor)) static void start(void) {\n"
	"	early[0] = calloc(1, 100); early[1] = memalign(64, 1000); early[2] = calloc(1, 1 << 20);\n"
	"}\n";

static const char WRAPPER[] =
	"#include <dlfcn.h>\n#include <stddef.h>\n"
	"void *malloc(size_t n) { return ((void *(*)(size_t))dlsym(RTLD_NEXT, \"malloc\"))(n); }\n"
	"void free(void *p) { ((void (*)(void *))dlsym(RTLD_NEXT, \"free\"))(p); }\n";

extern void *early[3] __attribute__((weak));

FRAME void leak(void) { use(malloc(3210)); }

static void
work(void)
{
	leak();
	for (int i = 0; &early[0] && i < 3; i++) {
		size_t usable = malloc_usable_size(early[i]);
		expect(usable >= 100);
		memset(early[i], 0, usable);
		early[i] = realloc(early[i], 5000);
		expect(early[i] != NULL);
		free(early[i]);
	}
	for (int i = 0; i < 1000; i++) {
		char *block = realloc(strcpy(malloc(10), "contents"), 100000);
		expect(strcmp(block, "contents") == 0);
		free(block);
		free(calloc(10, 10));
	}
}

static void
run_with(const char *first, const char *second, struct logfile *log, char **text)
{
	char preload[1024];
	char path[64];
	snprintf(preload, sizeof(preload), "%s:%s", first, second);
	expect_equal(run_preloaded("work", preload, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	read_log(log, path);
	*text = read_file(path);
}

void
host(void)
{
	struct logfile log;
	char *text;

	if (strcmp(host_role(), "work") == 0) {
		work();
		return;
	}
	build_c("./their\033s.so", "-shared -fPIC", THEIRS);
	build_c("./wrapper.so", "-shared -fPIC", WRAPPER);

	run_with("./their\033s.so", host_library(), &log, &text);
	expect_equal(log.snapshot_count, 0);
	expect(strstr(text, "\n# note malloc is that of "));
	expect(strstr(text, "/their\\x1bs.so, which stands before libpmem.so: nothing is recorded"));

	build_c("./alone.so", "-shared -fPIC", MALLOC_ALONE);
	run_with("./alone.so", host_library(), &log, &text);
	expect_equal(log.snapshot_count, 0);
	expect(strstr(text, "/alone.so, which stands before libpmem.so: nothing is recorded"));

	run_with(host_library(), "./their\033s.so", &log, &text);
	expect_equal(log_from(log_last(&log), "leak")->counts.live, 3210);
	expect(!strstr(text, "# note"));

	// Without the unwinder stacks are short where a malloc() stands before ours.
	if (!*getenv("TEST_UNWIND"))
		return;
	run_with("./wrapper.so", host_library(), &log, &text);
	const struct log_source *source = log_from(log_last(&log), "malloc");
	expect_equal(source->counts.live, 3210);
	expect(strstr(source->frames[1], "/wrapper.so(") && strstr(source->frames[2], "(leak+"));
	expect(strstr(text, "/wrapper.so, which stands before libpmem.so: nothing is recorded but "
			    "what it hands on;"));
	expect(!strstr(text, "at exit"));
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 0);
}
