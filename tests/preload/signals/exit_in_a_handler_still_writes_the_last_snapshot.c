// pmem: -DPMEM_CHURN_THRESH=1048576 -DPMEM_LOG_HOURS=0
// A handler that ends the program with exit(), wherever it interrupts a hook: the last snapshot
// is written. (glibc's allocator cannot take it at every point; the one beneath here can.)

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "host.h"

enum { RUNS = 150 };

static const char bump_malloc[] =
	"#include <stddef.h>\n#include <string.h>\n"
	"static char arena[1 << 28]; static size_t used;\n"
	"void *malloc(size_t n) { size_t room = (n + 31) & ~15UL;\n"
	"  char *p = arena + __atomic_fetch_add(&used, room, 0) % (1 << 27) + 16;\n"
	"  ((size_t *)p)[-1] = room - 16; return p; }\n"
	"void free(void *p) { (void)p; }\n"
	"void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }\n"
	"size_t malloc_usable_size(void *p) { return p ? ((size_t *)p)[-1] : 0; }\n"
	"void *realloc(void *p, size_t n) { void *q = malloc(n); size_t had = malloc_usable_size(p);\n"
	"  return p ? memcpy(q, p, had < n ? had : n) : q; }\n";

static void
handler(int number)
{
	exit(number != SIGALRM);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	// Not always at the same moment after the start.
	struct itimerval once = {{0, 0}, {0, 500 + atoi(host_role()) * 37 % 1000}};
	use(malloc(1));
	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &once, NULL);
	for (;;)
		free(malloc(100));
}

void
check(const struct logfile *none)
{
	char both[8192];
	char role[16];
	struct logfile log;
	FILE *source = fopen("bump.c", "w");

	expect_equal(none->snapshot_count, 0);
	fputs(bump_malloc, source);
	fclose(source);
	expect(system("${CC:-gcc} -O1 -fno-builtin -shared -fPIC -Wl,-Bsymbolic -o bump.so bump.c") == 0);
	snprintf(both, sizeof(both), "%s ./bump.so", host_library());
	setenv("PMEM_LIBRARY", both, 1);
	for (int i = 0; i < RUNS; i++) {
		snprintf(role, sizeof(role), "%d", i + 1);
		expect_equal(run_again(role, true, NULL), 0);
		snprintf(both, sizeof(both), "pmem.%d.log", again_pid);
		read_log(&log, both);
		expect(log.snapshot_count > 0 && strcmp(log_last(&log)->reason, "exit") == 0);
		expect(unlink(both) == 0);
	}
}
