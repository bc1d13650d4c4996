// A sandbox that was there before the program may refuse any system call, by any error: where the program
// runs all the same, it does with us. Each call that our sources name is refused once by each error.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "seccomp.h"

#define CALL(name) {"SYS_" #name, SYS_##name}
static const struct call {
	const char *name;
	int number;
} calls[] = {CALL(clock_gettime), CALL(close), CALL(fchmod), CALL(fcntl), CALL(flock), CALL(fstat),
	CALL(ftruncate), CALL(futex), CALL(getcwd), CALL(getdents64), CALL(geteuid), CALL(getpid),
	CALL(getppid), CALL(getrusage), CALL(gettid), CALL(madvise), CALL(mmap), CALL(mprotect),
	CALL(mremap), CALL(munmap), CALL(nanosleep), CALL(newfstatat), CALL(openat), CALL(prctl),
	CALL(pread64), CALL(prlimit64), CALL(readlinkat), CALL(renameat2), CALL(rt_sigprocmask),
	CALL(rt_sigtimedwait), CALL(seccomp), CALL(sigaltstack), CALL(tgkill), CALL(uname),
	CALL(unlinkat), CALL(write)};

enum { CALLS = sizeof(calls) / sizeof(*calls) };

static const int errors[] = {EPERM, ENOSYS, EACCES};

FRAME void *give(size_t bytes) { return malloc(bytes); }

void
host(void)
{
	if (!host_role()[0])
		return;
	for (int i = 0; i < 3000; i++) {
		void *block = give(1000);
		use(block);
		free(realloc(block, 2000));
	}
	free(malloc(1 << 20));
}

// The program, in such a sandbox, under the library or not.
static int
run_refused(int number, int error, bool with_library)
{
	char name[32];
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		if (!freopen("output", "w", stderr))
			_exit(9);
		alarm(20);
		setenv("ROLE", "refused", 1);
		setenv("PMEM_HOST", "1", 1);
		if (with_library)
			setenv("LD_PRELOAD", host_library(), 1);
		seccomp_begin();
		seccomp_rule(number, SECCOMP_RET_ERRNO | (unsigned)error);
		if (!seccomp_end(SECCOMP_RET_ALLOW, false))
			_exit(8);
		execl("/proc/self/exe", "host", (char *)NULL);
		_exit(7);
	}
	expect(child > 0 && waitpid(child, &status, 0) == child);
	snprintf(name, sizeof(name), "pmem.%d.log", child);
	remove(name);
	return status;
}

static void
expect_all_listed(void)
{
	char command[512], name[64];
	int found = 0;

	snprintf(command, sizeof(command), "grep -rhosE 'SYS_[a-z][a-z_0-9]*' '%s/src/lib' '%s/src/unwind'",
		getenv("PMEM_ROOT"), getenv("PMEM_ROOT"));
	FILE *names = popen(command, "r");
	while (fscanf(names, "%63s", name) == 1) {
		size_t i = 0;
		while (i < CALLS && strcmp(calls[i].name, name) != 0)
			i++;
		if (i == CALLS)
			fprintf(stderr, "%s is not tried\n", name);
		expect(i < CALLS);
		found++;
	}
	pclose(names);
	expect(found > 50);
}

void
check(const struct logfile *log)
{
	int harmed = 0, ended = 0;

	(void)log;
	expect_all_listed();
	for (size_t i = 0; i < CALLS * (sizeof(errors) / sizeof(*errors)); i++) {
		const struct call *call = &calls[i % CALLS];
		int error = errors[i / CALLS];
		int status = run_refused(call->number, error, true);
		if (status == 0)
			continue;
		ended++;
		int without = run_refused(call->number, error, false);
		if (without == status)
			continue;
		// backtrace() wakes who waits for it, and the C library ends a process that may not.
		if (!*getenv("TEST_UNWIND") && call->number == SYS_futex)
			continue;
		printf("%s, %s: %x, without us %x\n", call->name, strerror(error), (unsigned)status,
			(unsigned)without);
		harmed++;
	}
	printf("figure: %d calls; %d answers end the program without us, too\n", CALLS, ended);
	expect_equal((uint64_t)harmed, 0);
}
