// on each allocator
// of glibc
// A preload before us that wraps malloc, and one behind us whose malloc, open and mmap
// allocate through us in turn: no recursion, and each allocation is counted once. tcmalloc and
// mimalloc, which hang and crash when they are entered from their own mmap(), without us, too,
// have one that allocates nothing.

#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum {
	ROUNDS = 10000,
};

static const char before[] =
	"#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stddef.h>\nunsigned long calls_before;\n"
	"void *malloc(size_t n) { static void *(*next)(size_t);\n"
	"  if (!next) next = (void *(*)(size_t))dlsym(RTLD_NEXT, \"malloc\");\n"
	"  calls_before++; return next(n); }\n";

// Its own allocations go to the first malloc() there is, and come back to it.
static const char behind[] =
	"#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdarg.h>\n#include <stdlib.h>\n"
	"#include <sys/types.h>\nunsigned long calls_behind; static __thread int inside;\n"
	"void *malloc(size_t n) { static void *(*next)(size_t);\n"
	"  if (!next) next = (void *(*)(size_t))dlsym(RTLD_NEXT, \"malloc\");\n"
	"  calls_behind++;\n"
	"  if (!inside && n > 5000) { inside = 1; free(calloc(1, 64)); inside = 0; }\n"
	"  return next(n); }\n"
	"void *mmap(void *a, size_t n, int p, int f, int fd, off_t o) {\n"
	"  static void *(*next)(void *, size_t, int, int, int, off_t);\n"
	"  if (!next) next = dlsym(RTLD_NEXT, \"mmap\");\n"
	"#ifndef CALM\n  free(calloc(1, 10));\n#endif\n"
	"  return next(a, n, p, f, fd, o); }\n"
	"int open(const char *path, int flags, ...) { static int (*next)(const char *, int, ...);\n"
	"  va_list list; va_start(list, flags); int mode = va_arg(list, int); va_end(list);\n"
	"  if (!next) next = dlsym(RTLD_NEXT, \"open\");\n"
	"  free(calloc(1, 10)); return next(path, flags, mode); }\n";

static void
make(const char *name, const char *text, const char *flags)
{
	char command[256];
	FILE *source = fopen("preload.c", "w");
	fputs(text, source);
	fclose(source);
	snprintf(command, sizeof(command),
		"${CC:-gcc} -shared -fPIC -fno-builtin -O1 %s -o %s.so preload.c", flags, name);
	expect(system(command) == 0);
}

FRAME void *small(void) { void *p = malloc(100); use(p); return p; }
FRAME void *large(void) { void *p = malloc(6000); use(p); return p; }
FRAME void *kept(void) { void *p = malloc(10); use(p); return p; }

void
host(void)
{
	if (!host_role()[0])
		return;
	alarm(100);
	for (int i = 0; i < ROUNDS; i++) {
		free(small());
		free(large());
		use(kept());
	}
}

void
check(const struct logfile *none)
{
	struct logfile log;
	char libraries[1000];

	(void)none;
	make("before", before, "");
	bool is_entered = !host_allocator() || host_allocator_is("jemalloc");
	make("behind", behind, is_entered ? "" : "-DCALM");
	snprintf(libraries, sizeof(libraries), "./before.so %s ./behind.so", host_library());
	setenv("PMEM_LIBRARY", libraries, 1);
	expect_equal(run_again("host", true, NULL), 0);
	read_log_of(&log, again_pid);
	// Frame 1 is the preload before us; the same for small, large and kept, from different
	// stacks, and for what the one behind us asks calloc() for for each large block.
	const struct log_snapshot *last = log_last(&log);
	expect_equal(last->total.allocs, 4 * ROUNDS + last->total.allocs % ROUNDS);
	expect(last->total.allocs % ROUNDS < 20);
	expect_equal(last->total.blocks - ROUNDS < 20, 1);
	expect_equal(log_loss(last, "untracked_frees"), 0);
}
