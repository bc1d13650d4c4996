// of a kernel
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_MAX_BYTES=65536
// of glibc
// A program that locks itself into a seccomp filter goes on being logged when the filter
// allows the system calls that src/LIMITS.md lists; the library makes no other.

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

#define CALL(name) {#name, SYS_##name}
static const struct call {
	const char *name;
	unsigned number;
} listable[] = {CALL(openat), CALL(fcntl), CALL(fstat), CALL(newfstatat), CALL(fchmod), CALL(flock),
	CALL(prlimit64), CALL(geteuid), CALL(write), CALL(ftruncate), CALL(close), CALL(renameat2),
	CALL(unlinkat), CALL(getpid), CALL(getppid), CALL(gettid), CALL(tgkill), CALL(mmap),
	CALL(munmap), CALL(madvise), CALL(nanosleep), CALL(rt_sigprocmask), CALL(sigaltstack),
	CALL(getrusage), CALL(uname), CALL(readlinkat), CALL(clock_gettime), CALL(pread64),
	CALL(getdents64)};

// What the program itself and the C library beneath need here.
static const unsigned own[] = {SYS_mmap, SYS_munmap, SYS_mprotect, SYS_brk, SYS_madvise,
	SYS_clone, SYS_clone3, SYS_wait4, SYS_set_robust_list, SYS_rseq, SYS_futex, SYS_exit,
	SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_write,
	SYS_getpid};

static struct sock_filter filter[256];
static unsigned short length;

static void
allow(unsigned number)
{
	filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
	filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

static void
refused(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	fprintf(stderr, "system call %d is not in README's list\n", info->si_syscall);
	_exit(1);
}

static void
lock_in(const char *list)
{
	struct sigaction action = {.sa_sigaction = refused, .sa_flags = SA_SIGINFO};
	struct sock_fprog program = {.filter = filter};
	char quoted[64];
	int listed = 0;

	filter[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		allow(own[i]);
	for (size_t i = 0; i < sizeof(listable) / sizeof(*listable); i++) {
		snprintf(quoted, sizeof(quoted), "`%s`", listable[i].name);
		if (!strstr(list, quoted))
			continue;
		allow(listable[i].number);
		listed++;
	}
	expect(listed > 10);
	filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	program.len = length;
	expect(sigaction(SIGSYS, &action, NULL) == 0);
	expect(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	expect(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

FRAME void *
churn(void *unused)
{
	for (int i = 0; i < 1000; i++)
		use(malloc(100));
	return unused;
}

void
host(void)
{
	char path[4096];
	pthread_t thread;

	snprintf(path, sizeof(path), "%s/src/LIMITS.md", getenv("PMEM_ROOT"));
	char *list = strstr(read_file(path), "(seccomp)");
	expect(list != NULL);
	*strstr(list, "\n- ") = '\0';
	lock_in(list);
	for (int i = 0; i < 3; i++) {
		expect(pthread_create(&thread, NULL, churn, NULL) == 0);
		pthread_join(thread, NULL);
	}
	pid_t child = fork();
	if (child == 0) {
		churn(NULL);
		exit(0);
	}
	int status = -1;
	expect(wait4(child, &status, 0, NULL) == child && status == 0);
}

void
check(const struct logfile *log)
{
	expect(strcmp(log_last(log)->reason, "exit") == 0);
	expect_equal(log_from(log_last(log), "churn")->counts.blocks, 3000);
}
