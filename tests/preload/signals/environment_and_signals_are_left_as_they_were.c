// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// After snapshots were written the program finds its environment, its signal mask and handlers,
// its limits, its umask, directory, name and timers as it would without us.

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <signal.h>
#include <unistd.h>

#include "host.h"

extern char **environ;

static void
transcript(void)
{
	char line[512];
	struct rlimit limit;
	struct itimerval timer;
	struct sigaction action;
	char name[17] = "";
	stack_t stack;

	for (int i = 0; i < 1000; i++)
		free(malloc(100));
	for (char **each = environ; *each; each++)
		if (strncmp(*each, "LD_PRELOAD=", 11) != 0 && strncmp(*each, "ROLE=", 5) != 0)
			printf("%s\n", *each);
	FILE *status = fopen("/proc/self/status", "r");
	while (fgets(line, sizeof(line), status))
		// SigQ counts those of all the user's processes.
		if ((strncmp(line, "Sig", 3) == 0 && line[3] != 'Q') || strncmp(line, "Shd", 3) == 0
			|| strncmp(line, "Threads", 7) == 0 || strncmp(line, "NoNewPrivs", 10) == 0)
			printf("%s", line);
	fclose(status);
	for (int number = 1; number < NSIG; number++)
		if (sigaction(number, NULL, &action) == 0)
			printf("signal %d: %d %x\n", number, action.sa_handler == SIG_DFL, action.sa_flags);
	for (unsigned i = 0; i < RLIM_NLIMITS; i++)
		if (getrlimit(i, &limit) == 0)
			printf("limit %u: %lu %lu\n", i, limit.rlim_cur, limit.rlim_max);
	for (int i = 0; i < 3; i++)
		if (getitimer(i, &timer) == 0)
			printf("timer %d: %ld\n", i, timer.it_value.tv_sec + timer.it_value.tv_usec);
	prctl(PR_GET_NAME, name);
	sigaltstack(NULL, &stack);
	printf("umask %o, directory %s, name %s, priority %d, dumpable %d, alternate stack %d\n",
		umask(0), getcwd(line, sizeof(line)), name, getpriority(PRIO_PROCESS, 0),
		prctl(PR_GET_DUMPABLE), stack.ss_flags);
}

void
host(void)
{
	const char *preload = getenv("LD_PRELOAD");
	transcript();
	expect(strcmp(preload ? preload : "", host_role()[0] == '0' ? "" : host_library()) == 0);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 10);
	expect_equal(run_again("0", false, "without"), 0);
	expect_equal(run_again("1", true, "with"), 0);
	char *with = read_file("with");
	expect(strlen(with) > 1000);
	expect(strcmp(read_file("without"), with) == 0);
}
