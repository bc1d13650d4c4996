// pmem: -DCONSTANTS -DPMEM_EXIT_MIN_CHURN=1048576
// of glibc
// What a program that does nothing pays for our start and end is few page faults and system calls
// beside those that any preloaded library costs, and no file.

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

// Found: 20, and 37. The kernel maps the pages around a fault, too, in windows of 64 KiB, and where
// these lie in a file goes with the addresses of the run: the same program took 69 to 74 faults.
// So addresses are not random here, and what the fork cost before the exec is left out: then each
// run is the same, but for a file that was not in memory. All of that adds: the least is taken.
// The stack begins below the environment. At some lengths of the environment only one of the two programs
// reaches another page. So the libraries' names are equally long, and a padding puts the stack at four
// places of a page. At three of these places the faults must be few.
enum { FAULTS_MAX = 20, CALLS_MAX = 37, RUNS = 20, PLACES = 4, PADDING = 1024 };

struct cost {
	long faults;
	int calls;
};

// Of /bin/true, from its exec to its end.
static struct cost
cost_of_one(const char *library, int padding)
{
	struct cost cost = {0, 0};
	struct rusage before, usage;
	int status;

	pid_t child = fork();
	if (child == 0) {
		char pad[PLACES * PADDING];
		snprintf(pad, sizeof(pad), "%0*d", padding, 0);
		setenv("LD_PRELOAD", library, 1);
		setenv("PADDING", pad, 1);
		if (personality(ADDR_NO_RANDOMIZE) == -1)
			_exit(126);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl("/bin/true", "true", (char *)NULL);
		_exit(127);
	}
	// It stops at the exec; from then on where each call begins and ends.
	expect(wait4(child, &status, 0, &before) == child && WIFSTOPPED(status));
	while (WIFSTOPPED(status)) {
		expect(ptrace(PTRACE_SYSCALL, child, NULL, NULL) == 0);
		expect(wait4(child, &status, 0, &usage) == child);
		cost.calls++;
	}
	expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	cost.calls /= 2;
	cost.faults = usage.ru_minflt - before.ru_minflt;
	return cost;
}

static struct cost
cost_with(const char *library, int padding)
{
	struct cost least = cost_of_one(library, padding);

	for (int i = 1; i < RUNS; i++) {
		struct cost cost = cost_of_one(library, padding);
		least.faults = cost.faults < least.faults ? cost.faults : least.faults;
		least.calls = cost.calls < least.calls ? cost.calls : least.calls;
	}
	return least;
}

void
host(void)
{
}

void
check(const struct logfile *log)
{
	expect_equal((uint64_t)log->snapshot_count, 0);
	build_c("other.so", "-shared -fPIC", "int something;");
	char other[PATH_MAX] = ".";
	size_t length = strlen(host_library());
	expect(length > strlen("./other.so") && length < sizeof(other));
	memset(other + 1, '/', length);
	strcpy(other + length - strlen("other.so"), "other.so");
	int few = 0;
	for (int padding = 1; padding < PLACES * PADDING; padding += PADDING) {
		struct cost without = cost_with(other, padding), with = cost_with(host_library(), padding);
		long faults = with.faults - without.faults;
		int calls = with.calls - without.calls;
		printf("figure: %ld page faults and %d system calls more\n", faults, calls);
		few += faults <= FAULTS_MAX;
		expect(calls <= CALLS_MAX);
	}
	expect(few >= PLACES - 1);
	expect_equal((uint64_t)count_files("pmem."), 0);
}
