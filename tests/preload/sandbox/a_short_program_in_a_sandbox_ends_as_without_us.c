// of a kernel
// pmem: -DPMEM_EXIT_MIN_CHURN=1048576
// A program that did too little for a log, and has put itself into a sandbox (seccomp), ends as
// without us, whatever that forbids. At the end nothing is asked that was not asked at the start,
// before there was one: a sandbox that we do not know of refuses it then, or never.

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "seccomp.h"

enum { NUMBERS = 1024, MARK = NUMBERS - 1, BYTES = 100 << 20 };

// Which system calls were made before the mark, and from there on.
struct calls {
	bool made[2][NUMBERS];
};

// k, t, e: it kills, sends SIGSYS, answers with an error; s: by seccomp(). l: there is much memory
// that is not ours.
static bool
has(char letter)
{
	return strchr(host_role(), letter) != NULL;
}

void
host(void)
{
	if (!host_role()[0])
		return;
	if (strcmp(host_role(), "traced") == 0) {
		syscall(MARK);
		return;
	}
	if (has('l')) {
		void *much = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		expect(much != MAP_FAILED);
		memset(much, 1, BYTES);
		use(much);
	}
	seccomp_begin();
	seccomp_rule(SYS_getrusage, has('k') ? SECCOMP_RET_KILL_PROCESS
		: has('t') ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | 1);
	expect(seccomp_end(SECCOMP_RET_ALLOW, has('s')));
}

static void
trace(struct calls *calls, const char *library)
{
	struct __ptrace_syscall_info call;
	bool is_marked = false;
	int status;

	*calls = (struct calls){0};
	pid_t child = fork();
	if (child == 0) {
		if (library)
			setenv("LD_PRELOAD", library, 1);
		else
			unsetenv("LD_PRELOAD");
		setenv("PMEM_HOST", "1", 1);
		setenv("ROLE", "traced", 1);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl("/proc/self/exe", "traced", (char *)NULL);
		_exit(127);
	}
	expect(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
	expect(ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD) == 0);
	while (WIFSTOPPED(status)) {
		expect(ptrace(PTRACE_SYSCALL, child, NULL, NULL) == 0);
		expect(waitpid(child, &status, 0) == child);
		if (!WIFSTOPPED(status) || ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(call), &call) <= 0
			|| call.op != PTRACE_SYSCALL_INFO_ENTRY)
			continue;
		is_marked = is_marked || call.entry.nr == MARK;
		if (call.entry.nr < NUMBERS)
			calls->made[is_marked][call.entry.nr] = true;
	}
	expect(WIFEXITED(status) && WEXITSTATUS(status) == 0 && is_marked);
}

void
check(const struct logfile *log)
{
	static const char *const roles[] = {"k", "ks", "t", "ts", "e"};
	static struct calls with;
	static struct calls without;

	expect_equal((uint64_t)log->snapshot_count, 0);
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		expect_equal(run_again(roles[i], true, NULL), 0);
	expect_equal((uint64_t)count_files("pmem."), 0);
	expect_equal(run_again("kl", true, NULL), 0);
	expect_equal((uint64_t)count_files("pmem."), 1);

	trace(&with, host_library());
	trace(&without, NULL);
	for (int i = 0; i < NUMBERS; i++) {
		if (!with.made[1][i] || with.made[0][i] || without.made[1][i])
			continue;
		fprintf(stderr, "system call %d is made at the end alone\n", i);
		expect(false);
	}
}
