// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_MIN_INTERVAL_MS=0
// However a program ends without its exit handlers, its log is at most a threshold, a step
// and a call behind, and ends in a whole block.

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { THRESHOLD = 4096, STEP = THRESHOLD / 64, CALL_MAX = 2000, CALLS = 3000 };
static const char *const ways[]
	= {"_exit", "Exit", "quick_exit", "exit_group", "abort", "SIGSEGV", "SIGTERM", "SIGKILL"};

FRAME uint64_t
churn(void)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < CALLS; i++) {
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
	churn();
	if (host_role()[0] == 'S' && host_role()[3] != 'S')
		kill(getpid(), host_role()[3] == 'T' ? SIGTERM : SIGKILL);
	end(host_role()[0]);
}

void
check(const struct logfile *first)
{
	char path[64];
	struct logfile log;

	const struct log_block *exited = log_last(first);
	uint64_t did = exited->total.alloc + exited->total.free;
	expect_equal(exited->reason[0], 'e');
	expect_equal(did, churn());
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		int status = run_again(ways[i], true, NULL);
		expect(WIFSIGNALED(status) == (i >= 4));
		expect(i >= 4 || WEXITSTATUS(status) == 7);
		snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
		read_log(&log, path);
		const struct log_block *last = log_last(&log);
		expect_equal(last->reason[0], 'c');
		expect_equal(log.torn, 0);
		expect(last->total.alloc + last->total.free <= did);
		expect(did < last->total.alloc + last->total.free + THRESHOLD + STEP + CALL_MAX);
	}
}
