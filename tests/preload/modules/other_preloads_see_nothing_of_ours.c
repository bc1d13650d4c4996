// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// A preload that replaces the functions of files, memory and identity, and allocates in each
// of them (as fakeroot, or a sandbox, does), sees no call of ours, and counts stay exact.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { THREADS = 3, BLOCKS = 2000 };

static const char nosy[] =
	"#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdarg.h>\n#include <stdio.h>\n"
	"#include <stdlib.h>\n#include <sys/types.h>\n"
	"static int seen(const char *name) { free(malloc(77));\n"
	"  return getenv(\"NOSY\") && fprintf(stderr, \"%s\\n\", name); }\n"
	"#define SEE(type, name, given, passed) type name given { seen(#name);\\\n"
	"  return ((type (*) given)dlsym(RTLD_NEXT, #name)) passed; }\n"
	"struct stat; struct rlimit; struct utsname;\n"
	"SEE(int, fstat, (int a, struct stat *b), (a, b))\n"
	"SEE(int, fstatat, (int d, const char *a, struct stat *b, int f), (d, a, b, f))\n"
	"SEE(int, openat, (int d, const char *a, int f, mode_t m), (d, a, f, m))\n"
	"SEE(int, open, (const char *a, int f, mode_t m), (a, f, m))\n"
	"SEE(int, close, (int a), (a))\n"
	"SEE(ssize_t, write, (int a, const void *b, size_t n), (a, b, n))\n"
	"SEE(int, flock, (int a, int b), (a, b))\n"
	"SEE(int, fchmod, (int a, mode_t b), (a, b))\n"
	"SEE(int, ftruncate, (int a, off_t b), (a, b))\n"
	"SEE(int, getrlimit, (int a, struct rlimit *b), (a, b))\n"
	"SEE(int, uname, (struct utsname *a), (a))\n"
	"SEE(uid_t, geteuid, (void), ())\n"
	"SEE(char *, getcwd, (char *a, size_t n), (a, n))\n"
	"SEE(void *, mmap, (void *a, size_t n, int p, int f, int d, off_t o), (a, n, p, f, d, o))\n"
	"SEE(int, munmap, (void *a, size_t n), (a, n))\n"
	"SEE(int, madvise, (void *a, size_t n, int b), (a, n, b))\n";

FRAME void *
churn(void *unused)
{
	for (int i = 0; i < BLOCKS; i++)
		use(malloc(50));
	return unused;
}

void
host(void)
{
	pthread_t threads[THREADS];

	if (!host_role()[0])
		return;
	setenv("NOSY", "1", 1);
	for (int i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, churn, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	unsetenv("NOSY");
}

void
check(const struct logfile *none)
{
	char both[8192];
	char *library = strdup(host_library());
	struct logfile log;
	FILE *source = fopen("nosy.c", "w");

	expect_equal(none->snapshot_count, 0);
	fputs(nosy, source);
	fclose(source);
	expect(system("${CC:-gcc} -O1 -fno-builtin -w -shared -fPIC -o nosy.so nosy.c -ldl") == 0);
	for (int order = 0; order < 2; order++) {
		snprintf(both, sizeof(both), order ? "%s ./nosy.so" : "./nosy.so %s", library);
		setenv("PMEM_LIBRARY", both, 1);
		expect_equal(run_again("threads", true, "seen"), 0);
		const char *seen = read_file("seen");
		if (seen[0])
			fprintf(stderr, "%.300s", seen);
		expect(!seen[0]);
		snprintf(both, sizeof(both), "pmem.%d.log", again_pid);
		read_log(&log, both);
		expect(log.snapshot_count > 10);
		expect_equal(log_from(log_last(&log), "churn")->counts.blocks, THREADS * BLOCKS);
	}
}
