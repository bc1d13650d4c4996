// sys: system calls that leave errno alone and are no cancellation points.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates. Each
// returns what the kernel returned: negative is -errno.

#ifndef PMEM_SYS_H
#define PMEM_SYS_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline long
sys_call5(long number, long a, long b, long c, long d, long e)
{
	int kept = errno;
	long result = syscall(number, a, b, c, d, e);
	if (result < 0)
		result = -errno;
	errno = kept;
	return result;
}

static inline long
sys_call4(long number, long a, long b, long c, long d)
{
	return sys_call5(number, a, b, c, d, 0);
}

static inline long
sys_call3(long number, long a, long b, long c)
{
	return sys_call5(number, a, b, c, 0, 0);
}

static inline long
sys_call2(long number, long a, long b)
{
	return sys_call5(number, a, b, 0, 0, 0);
}

static inline pid_t
sys_getpid(void)
{
	return (pid_t)sys_call2(SYS_getpid, 0, 0);
}

static inline pid_t
sys_gettid(void)
{
	return (pid_t)sys_call2(SYS_gettid, 0, 0);
}

// Whether the thread is still one of this process. When in doubt it is.
static inline int
sys_thread_lives(pid_t tid)
{
	return sys_call3(SYS_tgkill, sys_getpid(), tid, 0) != -ESRCH;
}

// Whether the 8 bytes at this address can be read, asked of the kernel: it copies the mask
// before it looks at `how`. The one call for this that no sandbox forbids.
static inline int
sys_readable(uintptr_t address)
{
	return sys_call4(SYS_rt_sigprocmask, -1, (long)address, 0, 8) == -EINVAL;
}

// Holds back all signals of this thread but those that its own instructions raise. False: they
// are not. Cancellation and setuid() by other threads are signals, too.
static inline bool
sys_hold_signals(uint64_t *before)
{
	const uint64_t own = UINT64_C(1) << (SIGILL - 1) | UINT64_C(1) << (SIGTRAP - 1)
		| UINT64_C(1) << (SIGBUS - 1) | UINT64_C(1) << (SIGFPE - 1)
		| UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGSYS - 1);
	const uint64_t held = ~own;
	return sys_call4(SYS_rt_sigprocmask, SIG_BLOCK, (long)&held, (long)before, 8) == 0;
}

static inline void
sys_let_signals(const uint64_t *before)
{
	sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)before, 0, 8);
}

// Nanoseconds. Through the vdso where there is one.
static inline int64_t
sys_clock(clockid_t clock)
{
	struct timespec now = {0};
	int kept = errno;
	clock_gettime(clock, &now);
	errno = kept;
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

#endif
