// of glibc
// glibc's debugging library behind us: MALLOC_CHECK_ finds the byte that a program writes
// behind its block, mtrace() writes each call, with the program for its caller, and mcheck()
// calls its handler, as without us. The log says that nothing is recorded.

#include <dlfcn.h>
#include <malloc.h>
#include <mcheck.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host.h"

static const char debugging[] = "libc_malloc_debug.so.0";

static void
overrun(void)
{
	char *volatile block = malloc(24);
	block[24] = (char)~block[24];
	free(block);
	puts("not found");
}

FRAME void
trace(void)
{
	mtrace();
	for (size_t i = 1; i < 6; i++) {
		char *volatile block = malloc(100 * i);
		block = realloc(block, 1000 * i);
		free(block);
	}
	muntrace();
}

void
host(void)
{
	if (strcmp(host_role(), "overrun") == 0)
		overrun();
	else if (strcmp(host_role(), "trace") == 0)
		trace();
}

// The text without what follows each "0x", which differs from run to run.
static char *
normal(const char *path)
{
	char *text = read_file(path);
	char *to = text;
	for (char *at = text; *at; at++) {
		if (*at == '@' && !host_library_is_optimized())
			at += strcspn(at, "]");
		*to++ = *at;
		if (at[0] == '0' && at[1] == 'x' && strncmp(at - 2, "+ ", 2) == 0)
			at += 1 + strspn(at + 2, "0123456789abcdef");
		else if (at[0] == '0' && at[1] == 'x' && at[-1] == ' ' && strchr("-<>", at[-2]))
			at += 1 + strspn(at + 2, "0123456789abcdef");
	}
	*to = '\0';
	return text;
}

static char *
preloads(bool with_library)
{
	static char text[1000];
	snprintf(text, sizeof(text), "%s %s", with_library ? host_library() : "", debugging);
	return text;
}

void
check(const struct logfile *none)
{
	char path[64];

	(void)none;
	if (!dlopen(debugging, RTLD_LAZY))
		skip(debugging);
	setenv("MALLOC_CHECK_", "3", 1);
	int without = run_preloaded("overrun", preloads(false), "without");
	int with = run_preloaded("overrun", preloads(true), "with");
	expect(WIFSIGNALED(without) && WTERMSIG(without) == SIGABRT);
	expect_equal(without, with);
	expect(strcmp(read_file("without"), read_file("with")) == 0);
	unsetenv("MALLOC_CHECK_");

	setenv("MALLOC_TRACE", "trace.without", 1);
	expect_equal(run_preloaded("trace", preloads(false), NULL), 0);
	setenv("MALLOC_TRACE", "trace.with", 1);
	expect_equal(run_preloaded("trace", preloads(true), NULL), 0);
	fprintf(stderr, "%s%s", normal("trace.without"), normal("trace.with"));
	expect(strstr(normal("trace.with"), "+ 0 0xc8\n"));
	expect(!host_library_is_optimized() || strstr(normal("trace.with"), "_beneath_works:("));
	expect(strcmp(normal("trace.without"), normal("trace.with")) == 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	expect(strstr(read_file(path), "/libc_malloc_debug.so.0, which looks for writes behind its "
				       "blocks, where a tag would be: nothing is recorded"));
}
