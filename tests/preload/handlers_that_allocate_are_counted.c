// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_MIN_INTERVAL_MS=0
// A signal handler that allocates, wherever it interrupts a hook: no deadlock, and not a
// call or byte is lost. (glibc's allocator cannot take it; the one beneath here can.)

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "host.h"

enum { HANDLERS = 20000 };
static volatile uint64_t handled;
static uint64_t rounds;

static const char safe_malloc[] =
	"#define _GNU_SOURCE\n#include <stddef.h>\n#include <string.h>\n#include <sys/mman.h>\n"
	"static char *arena; static size_t used;\n"
	"static void __attribute__((constructor)) start(void) {\n"
	"  arena = arena ? arena : mmap(0, (size_t)8 << 30, 3, 0x4022, -1, 0); }\n"
	"void *malloc(size_t n) { start(); size_t room = (n + 31) & ~15UL;\n"
	"  char *p = arena + __atomic_fetch_add(&used, room, 0) + 16;\n"
	"  ((size_t *)p)[-1] = room - 16; return p; }\n"
	"void free(void *p) { (void)p; }\n"
	"void *calloc(size_t a, size_t b) { return malloc(a * b); }\n"
	"size_t malloc_usable_size(void *p) { return p ? ((size_t *)p)[-1] : 0; }\n"
	"void *realloc(void *p, size_t n) { void *q = malloc(n); size_t had = malloc_usable_size(p);\n"
	"  return p ? memcpy(q, p, had < n ? had : n) : q; }\n";

FRAME void handler(int number)
{
	void *block = realloc(malloc(30), 3000);
	use(block);
	free(block);
	handled += number != 0;
}

FRAME void interrupted(void)
{
	for (rounds = 0; handled < HANDLERS; rounds++) {
		void *block = malloc(100);
		use(block);
		free(block);
	}
}

void
host(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 50}, {0, 50}};

	if (!host_role()[0])
		return;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	interrupted();
	memset(&often, 0, sizeof(often));
	setitimer(ITIMER_REAL, &often, NULL);
	use(malloc((size_t)rounds));
}

void
check(const struct logfile *none)
{
	char both[8192];
	struct logfile log;
	FILE *source = fopen("safe.c", "w");

	expect_equal(none->block_count, 0);
	fputs(safe_malloc, source);
	fclose(source);
	expect(system("${CC:-gcc} -O1 -fno-builtin -shared -fPIC -Wl,-Bsymbolic -o safe.so safe.c") == 0);
	snprintf(both, sizeof(both), "%s ./safe.so", host_library());
	setenv("PMEM_LIBRARY", both, 1);
	expect_equal(run_again("interrupted", true, NULL), 0);

	snprintf(both, sizeof(both), "pmem.%d.log", again_pid);
	read_log(&log, both);
	const struct log_block *last = log_last(&log);
	uint64_t loops = log_from(last, "host")->counts.live;
	uint64_t handlers = (last->total.allocs - loops - 1) / 2;
	printf("figure: %lu handlers, %lu inside a hook\n", (unsigned long)handlers,
		(unsigned long)log_loss(last, "nested") / 2);
	expect(handlers >= HANDLERS && log_loss(last, "nested") > 100);
	expect_equal(last->total.allocs, loops + 1 + 2 * handlers);
	expect_equal(last->total.alloc, 100 * loops + loops + 3030 * handlers);
	expect_equal(last->total.live, loops);
	expect_equal(log_loss(last, "untracked_frees"), 0);
}
