// SPDX-License-Identifier: BSD-2-Clause
// sys: system calls that leave errno alone and are no cancellation points.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates. Each function
// returns what the kernel returned: a negative result is -errno. None of them calls the C library
// by name, since the program may have replaced the C library's function.

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

// An attribute for functions of ours that call the C library for more than copying and comparing
// bytes. The C library needs an aligned stack, which the caller of a hook may not have.
#ifdef __x86_64__
#define SYS_ALIGNS_STACK __attribute__((force_align_arg_pointer))
#else
#define SYS_ALIGNS_STACK
#endif

// An attribute for variables that are written at a fork, in the parent or the child. They are
// together on one page, since after a fork the first write to a page copies it.
#define SYS_FORK_PAGE __attribute__((section("pmem_fork")))

// What we take from the C library. Set by libc_start(). Before that, the functions are NULL:
// sys_clock() asks the kernel, and a page is taken to have 4096 bytes.
extern struct sys {
	int (*clock_gettime)(clockid_t, struct timespec *);
	long (*call)(long, ...); // syscall(), for machines for which sys_ask() has no code of its own
	int *(*errno_location)(void);
	size_t page_bytes;
	uint64_t signals_that_wait; // SYS_SIGNALS_THAT_WAIT_BUT()
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

// Tests set it, to replace syscall() by a function of their own.
#ifndef SYS_BY_NAME
#define SYS_BY_NAME 0
#endif

static inline long
sys_make(long number, long a, long b, long c, long d, long e, long f)
{
	if (!SYS_BY_NAME)
		return sys_ask(number, a, b, c, d, e, f);
	int *error = __errno_location();
	int kept = *error;
	long result = syscall(number, a, b, c, d, e, f);
	if (result == -1)
		result = -*error;
	*error = kept;
	return result;
}

// sys_passes() returns true if the program's sandbox allows a call. The pointer is NULL if the
// program is in no sandbox. hooks/sandbox.c sets it; atomic. sys_may() calls sys_passes().
// sys_call6() does not make a forbidden call, for which the kernel might end the process. It
// returns -EPERM instead.
extern bool (*sys_passes)(long number, const long arguments[6]);
bool sys_may(long number, long a, long b, long c, long d, long e, long f);

// Returns true if any thread is in a call of ours, or between its sys_may() and the call. A call of
// ours that begins later sees everything that was set before this function was called.
bool sys_is_under_way(void);

// Called in a fork's child, where no call is under way.
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

// Returns zeroed memory whose pages become resident at their first use. NULL if there is no memory.
// All our mappings lie side by side, far from the program's. So if a program writes beyond a
// mapping of its own, it faults, as it would without us.
void *sys_map(size_t bytes);

// Returns 0 only if the thread surely is no longer one of the process.
static inline int
sys_has_thread(pid_t process, pid_t tid)
{
	return sys_call3(SYS_tgkill, process, tid, 0) != -ESRCH;
}

// Returns the same as sys_has_thread(), for this process.
static inline int
sys_thread_lives(pid_t tid)
{
	return sys_has_thread(sys_getpid(), tid);
}

// Asks the kernel if it can read the 8 bytes at an address. The kernel first copies a signal mask
// from the address. Then it rejects the call, since the first argument is not valid. No sandbox
// that the program enters forbids this call. Returns -EINVAL if the bytes can be read, -EFAULT if
// they cannot. If a sandbox from before the program's start forbids the call, may return anything
// else.
static inline long
sys_try_to_read(uintptr_t address)
{
	return sys_call4(SYS_rt_sigprocmask, -1, (long)address, 0, 8);
}

// Returns 1 only if the 8 bytes at this address surely can be read. The address may be any number.
static inline int
sys_readable(uintptr_t address)
{
	return sys_try_to_read(address) == -EINVAL;
}

// Returns false only if the page of an address, which was mapped once, surely is no longer mapped.
static inline bool
sys_page_is_there(uintptr_t at)
{
	return sys_try_to_read(at & ~UINT64_C(7)) != -EFAULT;
}

// Returns true if sys_page_is_there() for all pages that these bytes lie in.
static inline bool
sys_is_there(uintptr_t from, size_t bytes)
{
	enum { LEAST_PAGE = 4096 };
	uintptr_t end = from + bytes;

	// For address 0 the kernel reads nothing, and so returns no -EFAULT.
	if (from < LEAST_PAGE)
		return false;
	for (uintptr_t at = from & -(uintptr_t)LEAST_PAGE; at < end; at += LEAST_PAGE) {
		if (!sys_page_is_there(at))
			return false;
	}
	return end >= from;
}

#define SYS_SIGNAL(number) (UINT64_C(1) << ((number)-1))

// The signals that we may block for a while. A signal that the processor raises would end the
// program if it were blocked. So would SIGSYS, with which a sandbox answers a system call. Signal
// 33 is glibc's second own signal, and 34 musl's third. setuid() sends it to every thread, and
// waits for each. With 33 musl cancels a thread.
#define SYS_SIGNALS_THAT_WAIT_BUT(own) \
	(~(SYS_SIGNAL(SIGSEGV) | SYS_SIGNAL(SIGBUS) | SYS_SIGNAL(SIGFPE) | SYS_SIGNAL(SIGILL) \
		| SYS_SIGNAL(SIGTRAP) | SYS_SIGNAL(SIGSYS) | SYS_SIGNAL(own)))
enum { SYS_GLIBCS_OWN = 33, SYS_MUSLS_OWN = 34 };

// Blocks sys.signals_that_wait on the calling thread. This includes the signal by which the C library
// cancels a thread. Returns the previous signal mask, one bit a signal. If the call fails, returns
// all bits: sys_let_signals() then unblocks nothing.
static inline uint64_t
sys_hold_signals(void)
{
	const uint64_t held = sys.signals_that_wait;
	uint64_t before = 0;
	if (sys_call4(SYS_rt_sigprocmask, SIG_BLOCK, (long)&held, (long)&before, sizeof(held)) < 0)
		return UINT64_MAX;
	return before;
}

// Unblocks all signals that the mask `before` does not block.
static inline void
sys_let_signals(uint64_t before)
{
	const uint64_t held = sys.signals_that_wait & ~before;
	sys_call4(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&held, 0, sizeof(held));
}

// Returns the clock's time in nanoseconds. The C library's function needs no system call if there
// is a vdso.
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
