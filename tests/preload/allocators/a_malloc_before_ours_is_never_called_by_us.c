// of a kernel
// Programs with a malloc() of their own, whole or in part, which stands before ours: one that
// has no free(), one whose pool is small and whose end is fatal, one that is set up in main(),
// one that counts what comes and hands it on. They run as without us, no call is ours, and the
// log says whose malloc() it is.

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

#define HEAD \
	"#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stddef.h>\n#include <stdio.h>\n" \
	"#include <string.h>\n#include <unistd.h>\n"
#define REST \
	"void free(void *p) { (void)p; }\n" \
	"void *calloc(size_t n, size_t m) { void *p = malloc(n * m); return memset(p, 0, n * m); }\n" \
	"void *realloc(void *o, size_t n) { void *p = malloc(n); if (o) memcpy(p, o, n); return p; }\n"

static const struct {
	const char *name;
	const char *text;
} programs[] = {
	{"pool", HEAD "static char pool[1 << 20]; static size_t used;\n"
		"void *malloc(size_t n) { void *p = pool + used; used += (n + 15) & -16ul; return p; }\n"
		"int main(void) { char *p = malloc(100); strcpy(p, \"ok\\n\"); write(1, p, 3); return 0; }\n"},
	{"small", HEAD "static char pool[1 << 13]; static size_t used;\n"
		"void *malloc(size_t n) { if (used + n > sizeof(pool)) { write(2, \"full\\n\", 5); _exit(99); }\n"
		"    void *p = pool + used; used += (n + 15) & -16ul; return p; }\n" REST
		"int main(void) { char *p = malloc(100); strcpy(p, \"ok\\n\"); write(1, p, 3); return 0; }\n"},
	{"late", HEAD "static struct pool { char *at; } *pool; static char all[1 << 16];\n"
		"void *malloc(size_t n) { void *p = pool->at; pool->at += (n + 15) & -16ul; return p; }\n" REST
		"int main(void) { static struct pool p = {all}; pool = &p; char *q = malloc(9);\n"
		"    strcpy(q, \"ok\\n\"); write(1, q, 3); return 0; }\n"},
	{"counting", HEAD "static int calls, frees;\n"
		"void *malloc(size_t n) { static void *(*next)(size_t); calls++;\n"
		"    if (!next) next = dlsym(RTLD_NEXT, \"malloc\"); return next(n); }\n"
		"void free(void *p) { static void (*next)(void *); frees += p != NULL;\n"
		"    if (!next) next = dlsym(RTLD_NEXT, \"free\"); next(p); }\n"
		"int main(void) { int c = calls, f = frees; char text[100];\n"
		"    int n = snprintf(text, 100, \"before main: %d %d\\n\", c, f);\n"
		"    write(1, text, n); free(malloc(12345)); malloc(54321); return 0; }\n"},
};

enum { PROGRAMS = sizeof(programs) / sizeof(*programs) };

void
host(void)
{
}

static int
run(const char *name, const char *preload, const char *output)
{
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		expect(freopen(output, "w", stdout) && dup2(1, 2) == 2);
		if (preload)
			setenv("LD_PRELOAD", preload, 1);
		else
			unsetenv("LD_PRELOAD");
		execl(name, name, (char *)NULL);
		_exit(126);
	}
	expect(waitpid(child, &status, 0) == child);
	again_pid = child;
	return status;
}

void
check(const struct logfile *none)
{
	char name[64], flags[96], path[64];
	struct logfile log;

	(void)none;
	for (int i = 0; i < PROGRAMS; i++) {
		snprintf(name, sizeof(name), "./%s", programs[i].name);
		// clang would put the program's malloc() into main(), or make a jump of its call.
		snprintf(flags, sizeof(flags),
			"-w -O1 -fno-builtin -fno-inline -fno-optimize-sibling-calls -rdynamic");
		build_c(name, flags, programs[i].text);
		int without = run(name, NULL, "without");
		int with = run(name, host_library(), "with");
		fprintf(stderr, "%s: %d %d\n%s%s", name, without, with, read_file("without"),
			read_file("with"));
		expect_equal(without, 0);
		expect_equal(with, 0);
		expect(strcmp(read_file("without"), read_file("with")) == 0);
		snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
		read_log(&log, path);
		char *note = strstr(read_file(path), "# note malloc is that of /");
		expect(note && strstr(note, programs[i].name) && strstr(note, "nothing is recorded but"));
		bool hands_on = strcmp(programs[i].name, "counting") == 0;
		expect_equal(log.snapshot_count, hands_on ? 1 : 0);
		// Without the unwinder a stack would be had from the loader, which allocates.
		if (hands_on && *getenv("TEST_UNWIND")) {
			// Our caller is the program's own malloc().
			expect_equal(log_sum(log_last(&log), "/counting(malloc+").live, 54321);
			expect(strstr(note, "/counting(main+"));
		} else if (!hands_on) {
			expect(strstr(note, "# note at exit: rss="));
		}
	}
}
