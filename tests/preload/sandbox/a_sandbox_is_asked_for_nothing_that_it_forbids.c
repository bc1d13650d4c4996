// of a kernel
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// of glibc
// A program that puts itself into a sandbox (seccomp) runs and ends as without us, whatever the
// sandbox does to who asks for more: the log goes on if that can be, and else ends with a block
// and a note that says so. Not one call of ours is refused.

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "seccomp.h"

// What a role's sandbox has, by its letters: k, e, t: it kills, answers with an error, sends
// SIGSYS; p, s: by prctl() or seccomp(); o: no file can be opened; a: nothing is allowed but
// what the program itself needs; m: and what src/LIMITS.md says that a block needs; i: nobody can
// ask who it is, or what its limits are. And v: a child of vfork() locks itself in; x: strict mode.
static bool
has(char letter)
{
	return strchr(host_role(), letter) != NULL;
}

static void
refused(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	fprintf(stderr, "system call %d was made\n", info->si_syscall);
	_exit(9);
}

static inline void
churn(void)
{
	for (int i = 0; i < 1000; i++) {
		errno = 4711;
		use(malloc(100));
		if (errno != 4711)
			_exit(8);
	}
}

FRAME void
before(void)
{
	churn();
}

FRAME void
inside(void)
{
	churn();
}

static void
lock_in(void)
{
	struct sigaction action = {.sa_sigaction = refused, .sa_flags = SA_SIGINFO};
	static const int own[] = {SYS_exit, SYS_exit_group, SYS_brk, SYS_rt_sigreturn, SYS_write};
	unsigned forbid = has('k') ? SECCOMP_RET_KILL_PROCESS : has('t') ? SECCOMP_RET_TRAP
		: SECCOMP_RET_ERRNO | EACCES;

	expect(sigaction(SIGSYS, &action, NULL) == 0);
	seccomp_begin();
	static const int blocks[] = {SYS_openat, SYS_fcntl, SYS_flock, SYS_fstat, SYS_newfstatat,
		SYS_close, SYS_getpid, SYS_rt_sigprocmask};
	for (size_t i = 0; has('m') && i < sizeof(blocks) / sizeof(*blocks); i++)
		seccomp_rule(blocks[i], SECCOMP_RET_ALLOW);
	for (size_t i = 0; (has('a') || has('m')) && i < sizeof(own) / sizeof(*own); i++)
		seccomp_rule(own[i], SECCOMP_RET_ALLOW);
	if (has('o'))
		seccomp_rule(SYS_openat, forbid);
	if (has('i')) {
		static const int ids[] = {SYS_gettid, SYS_geteuid, SYS_getppid, SYS_uname, SYS_readlinkat,
			SYS_prlimit64, SYS_tgkill, SYS_sigaltstack, SYS_madvise, SYS_nanosleep};
		for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
			seccomp_rule(ids[i], forbid);
	}
	expect(seccomp_end(has('a') || has('m') ? forbid : SECCOMP_RET_ALLOW, has('s')));
}

// Root's, too.
static void
give_up_rights(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
	expect(syscall(SYS_capset, &header, none) == 0);
}

// None of these holds, and errno is the kernel's.
static void
fail_to_lock_in(void)
{
	static const struct sock_fprog empty;
	errno = 0;
	expect(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == -1 && errno == EFAULT);
	expect(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (void *)8) == -1 && errno == EFAULT);
	expect(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &empty) == -1 && errno == EINVAL);
	// Without rights, and without a promise to want none.
	give_up_rights();
	struct sock_fprog one = {.len = 1, .filter = seccomp_rules};
	seccomp_rules[0] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	expect(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &one) == -1 && errno == EACCES);
	expect(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &one) == -1 && errno == EACCES);
}

// As a program does that starts others in sandboxes: the filter is the child's alone.
static void
lock_in_child_of_vfork(void)
{
	pid_t child = (pid_t)vfork();
	if (child == 0) {
		seccomp_begin();
		seccomp_rule(SYS_openat, SECCOMP_RET_KILL_PROCESS);
		_exit(!seccomp_end(SECCOMP_RET_ALLOW, true));
	}
	int status = -1;
	expect(waitpid(child, &status, 0) == child && status == 0);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	before();
	fail_to_lock_in();
	if (has('v'))
		lock_in_child_of_vfork();
	else if (has('x'))
		expect(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0);
	else
		lock_in();
	if (!has('x')) {
		inside();
		return;
	}
	// Not even the C library may ask for more memory now.
	for (int i = 0; i < 1000; i++)
		free(malloc(100));
	syscall(SYS_exit, 0);
}

static void
look(const char *role, bool goes_on)
{
	struct logfile log;

	int status = run_again(role, true, "output");
	if (status != 0)
		fprintf(stderr, "%s: status %x: %s\n", role, status, read_file("output"));
	expect_equal(status, 0);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	expect_equal(log.note_count, !goes_on);
	expect_equal(log_from(last, "before")->counts.blocks, 1000);
	if (goes_on)
		expect_equal(log_from(last, "inside")->counts.blocks, 1000);
	if (strcmp(last->reason, goes_on ? "exit" : "sandbox") != 0)
		fprintf(stderr, "%s: the last block's reason is %s\n", role, last->reason);
	expect(strcmp(last->reason, goes_on ? "exit" : "sandbox") == 0);
	expect(goes_on || strstr(log.notes[0], "sandbox (seccomp)") != NULL);
	expect_equal(log_loss(last, "snapshots_dropped"), 0);
}

void
check(const struct logfile *log)
{
	(void)log;
	static const char *const boundary[] = {
		"kpo", "kso", "tpo", "tso", "epo", "eso", "kpa", "ksa", "tpa", "epa", "x"};
	static const char *const going_on[] = {"kpi", "ksi", "tpi", "epi", "kpm", "tsm", "epm", "v"};
	for (size_t i = 0; i < sizeof(boundary) / sizeof(*boundary); i++)
		look(boundary[i], false);
	for (size_t i = 0; i < sizeof(going_on) / sizeof(*going_on); i++)
		look(going_on[i], true);
}
