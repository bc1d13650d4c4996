// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// However a program ends without its exit handlers, its log is less than a threshold and a
// step behind, and ends in a whole snapshot.

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { THRESHOLD = 4096, STEP = THRESHOLD / 64, CALL_MAX = 2000, PHASES = 6 };
static const char *const ways[]
	= {"_exit", "Exit", "quick_exit", "exit_group", "abort", "SIGSEGV", "SIGTERM", "SIGKILL"};

FRAME uint64_t
churn(char phase)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < 1000 + (size_t)phase; i++) {
		size_t size = 1 + i * 7919 % CALL_MAX;
		free(malloc(size));
		bytes += 2 * size;
	}
	return bytes;
}

static void
end(char way)
{
	struct rlimit no_core = {0};
	setrlimit(RLIMIT_CORE, &no_core);
	switch (way) {
	case '_': _exit(7);
	case 'E': _Exit(7);
	case 'q': quick_exit(7);
	case 'e': syscall(SYS_exit_group, 7);
	case 'a': abort();
	case 'S': *(volatile int *)8 = 1;
	}
}

void
host(void)
{
	const char *way = host_role() + 1;
	churn(host_role()[0]);
	if (!host_role()[0])
		return;
	if (way[0] == 'S' && way[3] != 'S')
		kill(getpid(), way[3] == 'T' ? SIGTERM : SIGKILL);
	end(way[0]);
}

static void
check_end(const char *way, char phase, bool signalled)
{
	char role[32];
	struct logfile log;

	uint64_t did = churn(phase);
	snprintf(role, sizeof(role), "%c%s", phase, way);
	int status = run_again(role, true, NULL);
	expect(signalled ? WIFSIGNALED(status) : WEXITSTATUS(status) == 7);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	uint64_t logged = last->total.alloc + last->total.free;
	expect_equal(last->reason[0], 'c');
	expect_equal(log.torn, 0);
	expect(logged <= did && did < logged + THRESHOLD + STEP);
}

void
check(const struct logfile *log)
{
	expect_equal(log_last(log)->reason[0], 'e');
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		for (char phase = '0'; phase < '0' + PHASES; phase++)
			check_end(ways[i], phase, i >= 4);
	tally("faults", PHASES * sizeof(ways) / sizeof(*ways));
}
