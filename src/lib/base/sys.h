// SPDX-License-Identifier: BSD-2-Clause
// sys: system calls that leave errno alone and are no cancellation points.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates. Each
// returns what the kernel returned: negative is -errno. No function of the C library's is on the
// way, which a program may have replaced by its own.

#ifndef PMEM_SYS_H
#define PMEM_SYS_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
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

// What is written to at a fork, in parent or child: on a page together, since the first write to
// each page is a copy of it.
#define SYS_FORK_PAGE __attribute__((section("pmem_fork")))

// What is the C library's to know. Set by libc_start(); until then the clock is the kernel's,
// and a page the usual one.
extern struct sys {
	int (*clock_gettime)(clockid_t, struct timespec *);
	long (*call)(long, ...); // for machines whose way into the kernel is not here
	int *(*errno_location)(void);
	size_t page_bytes;
} sys;

#if defined(__x86_64__)

// The kernel takes the number in rax and spoils rcx and r11 (x86-64 psABI, A.2.1).
static inline long
sys_ask(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

static inline long
sys_ask(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

#else

#define SYS_BY_LIBC
long sys_ask(long number, long a, long b, long c, long d, long e, long f);

#endif

#ifdef SYS_BY_NAME

// For tests that stand between us and the kernel with a syscall() of their own.
static inline long
sys_make(long number, long a, long b, long c, long d, long e, long f)
{
	int *error = __errno_location();
	int kept = *error;
	long result = syscall(number, a, b, c, d, e, f);
	if (result == -1)
		result = -*error;
	*error = kept;
	return result;
}

#else

static inline long
sys_make(long number, long a, long b, long c, long d, long e, long f)
{
	return sys_ask(number, a, b, c, d, e, f);
}

#endif

// Whether the sandbox that the program is in lets a call pass; NULL: it is in none. Set by
// hooks/sandbox.c. A call that would not pass is not made, and answered with EPERM: the kernel
// might end the process for it. Atomic.
extern bool (*sys_passes)(long number, const long arguments[6]);
bool sys_may(long number, long a, long b, long c, long d, long e, long f);

// Whether any thread is at a call of ours, or between the question and the call. Of what was set
// before, all that begin later know.
bool sys_is_under_way(void);

// In a fork's child, where none is.
void sys_fork(void);

long sys_call6(long number, long a, long b, long c, long d, long e, long f);

static inline long
sys_call5(long number, long a, long b, long c, long d, long e)
{
	return sys_call6(number, a, b, c, d, e, 0);
}

static inline long
sys_call4(long number, long a, long b, long c, long d)
{
	return sys_call6(number, a, b, c, d, 0, 0);
}

static inline long
sys_call3(long number, long a, long b, long c)
{
	return sys_call6(number, a, b, c, 0, 0, 0);
}

static inline long
sys_call2(long number, long a, long b)
{
	return sys_call6(number, a, b, 0, 0, 0, 0);
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

static inline size_t
sys_page_bytes(void)
{
	return sys.page_bytes;
}

// Zeroed memory that is touched as it is used; NULL when there is none to be had. All of it lies side
// by side, and far from where the program has its own: whoever writes beyond a block of his faults, as
// without us.
void *sys_map(size_t bytes);

// Whether the thread is still one of the process. When in doubt it is.
static inline int
sys_has_thread(pid_t process, pid_t tid)
{
	return sys_call3(SYS_tgkill, process, tid, 0) != -ESRCH;
}

// The same of this process.
static inline int
sys_thread_lives(pid_t tid)
{
	return sys_has_thread(sys_getpid(), tid);
}

// Asks the kernel for the 8 bytes at an address: it copies the mask before it looks at `how`. The
// one call for this that no sandbox forbids. -EINVAL: they can be read. -EFAULT: they cannot. A
// sandbox that was there before the program may answer anything else.
static inline long
sys_try_to_read(uintptr_t address)
{
	return sys_call4(SYS_rt_sigprocmask, -1, (long)address, 0, 8);
}

// Whether what may be anywhere can be read. When in doubt it cannot.
static inline int
sys_readable(uintptr_t address)
{
	return sys_try_to_read(address) == -EINVAL;
}

// Whether the page of an address that was mapped once is still there. When in doubt it is.
static inline bool
sys_page_is_there(uintptr_t at)
{
	return sys_try_to_read(at & ~UINT64_C(7)) != -EFAULT;
}

// The same of all pages that these bytes lie in.
static inline bool
sys_is_there(uintptr_t from, size_t bytes)
{
	enum { LEAST_PAGE = 4096 };
	uintptr_t end = from + bytes;

	// Asked of address 0 the kernel reads nothing, and finds no fault.
	if (from < LEAST_PAGE)
		return false;
	for (uintptr_t at = from & -(uintptr_t)LEAST_PAGE; at < end; at += LEAST_PAGE) {
		if (!sys_page_is_there(at))
			return false;
	}
	return end >= from;
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
	if (__builtin_expect(sys.clock_gettime != NULL, 1))
		sys.clock_gettime(clock, &now);
	else
		sys_call2(SYS_clock_gettime, clock, (long)&now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

#endif
