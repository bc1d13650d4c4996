// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1000 -DPMEM_LOG_HOURS=0
// Fork handlers of other libraries run before and after ours, in parent and child, and
// allocate enough to make snapshots due: each process writes into its own log, its totals are
// those of its memory, and no snapshot waits for the fork that it is part of.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static const char EARLY[] =
	"#include <pthread.h>\n#include <stdlib.h>\n"
	"void *kept[1000]; int count;\n"
	"__attribute__((noinline)) void early_handler(void) {\n"
	"	for (int i = 0; i < 100; i++) free(malloc(100));\n"
	"	kept[count++] = malloc(7);\n"
	"}\n"
	"__attribute__((constructor)) static void start(void) {\n"
	"	pthread_atfork(early_handler, early_handler, early_handler);\n"
	"}\n";

enum { FORKS = 20, GIVEN_WAY_MAX = 2000 };

FRAME void
late_handler(void)
{
	for (int i = 0; i < 100; i++)
		free(malloc(100));
	use(malloc(5));
}

// So many times were both handlers called in the memory of this process.
static uint64_t
calls(int forks)
{
	return 2 * (uint64_t)forks;
}

static void
check_child(pid_t child, int forks)
{
	struct logfile log;
	int status = -1;
	expect(waitpid(child, &status, 0) == child && status == 0);
	read_log_of(&log, child);
	expect_equal(log.run_count, 1);
	expect_equal(log.runs[0].forked_from, getpid());
	expect_equal(log.snapshots[0].number, 0);
	// Where it has not called a handler from the same place again, what its parent's calls
	// allocated is inherited.
	uint64_t own = log_sum(log_last(&log), "(early_handler+").live;
	expect(own >= 7 && own <= 7 * calls(forks));
	expect(own + log_last(&log)->inherited >= 7 * calls(forks));
}

static void
work(void)
{
	struct rusage usage;

	pthread_atfork(late_handler, late_handler, late_handler);
	for (int forks = 1; forks <= FORKS; forks++) {
		pid_t child = fork();
		if (child == 0)
			exit(0);
		check_child(child, forks);
	}
	// Who waits sleeps, thousands of times.
	getrusage(RUSAGE_SELF, &usage);
	printf("figure: gave way %ld times in %d forks\n", usage.ru_nvcsw, FORKS);
	expect(usage.ru_nvcsw < GIVEN_WAY_MAX);
}

void
host(void)
{
	char preload[1024];
	if (strcmp(host_role(), "work") == 0) {
		work();
		return;
	}
	build_c("./early.so", "-shared -fPIC -pthread", EARLY);
	snprintf(preload, sizeof(preload), "%s:./early.so", host_library());
	expect_equal(run_preloaded("work", preload, NULL), 0);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 0);
}
