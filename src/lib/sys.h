// sys: system calls that leave errno alone and are no cancellation points.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates. Each
// returns what the kernel returned: negative is -errno.

#ifndef PMEM_SYS_H
#define PMEM_SYS_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Of what calls more of the C library than copies and compares bytes: that counts on an aligned
// stack, which who calls a hook may not have.
#ifdef __x86_64__
#define SYS_ALIGNS_STACK __attribute__((force_align_arg_pointer))
#else
#define SYS_ALIGNS_STACK
#endif

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

// Zeroed memory that is touched as it is used; NULL when there is none to be had. An mmap()
// that the program has replaced may allocate, or count on being called by the program.
static inline void *
sys_map(size_t bytes)
{
	int kept = errno;
	long at = syscall(SYS_mmap, 0L, bytes, (long)(PROT_READ | PROT_WRITE),
		(long)(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE), -1L, 0L);
	errno = kept;
	return at == -1 ? NULL : (void *)at;
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

#define SYS_SIGNAL(number) (UINT64_C(1) << ((number)-1))

// Those that can wait. What the processor raises, or a sandbox that means to answer the
// system call itself, would end the program if it were blocked; and with glibc's second of
// its own setuid() reaches every thread, and waits for each.
#define SYS_SIGNALS_THAT_WAIT \
	(~(SYS_SIGNAL(SIGSEGV) | SYS_SIGNAL(SIGBUS) | SYS_SIGNAL(SIGFPE) | SYS_SIGNAL(SIGILL) \
		| SYS_SIGNAL(SIGTRAP) | SYS_SIGNAL(SIGSYS) | SYS_SIGNAL(33)))

// Makes them wait on the calling thread; cancellation is one of them. Returns the mask from
// before, a bit a signal. Where that is not to be had it is all bits: then nothing is let
// through that the program blocks.
static inline uint64_t
sys_hold_signals(void)
{
	const uint64_t held = SYS_SIGNALS_THAT_WAIT;
	uint64_t before = 0;
	if (sys_call4(SYS_rt_sigprocmask, SIG_BLOCK, (long)&held, (long)&before, sizeof(held)) < 0)
		return UINT64_MAX;
	return before;
}

// Lets all through that the mask from before does not block.
static inline void
sys_let_signals(uint64_t before)
{
	const uint64_t held = SYS_SIGNALS_THAT_WAIT & ~before;
	sys_call4(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&held, 0, sizeof(held));
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
