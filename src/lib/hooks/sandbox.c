// SPDX-License-Identifier: BSD-2-Clause
// sandbox: notices when a program enters a sandbox (seccomp), by hooks for prctl() and syscall().
// The hooks pass the calls on unchanged. The program sets a filter of system calls. We must have a
// copy of the filter before it takes effect.
//
// A filter may end the process for a call that is not on its list, or answer with an error. The
// kernel does not say which calls a filter forbids. But the filter is a BPF program of a few
// hundred instructions that the process passes to the kernel. So sys.h runs the filter itself
// before each system call of ours. If the kernel would forbid the call, we do not make it.
//
// The copy of the filter is in pages of our own. If no page can be mapped for the copy, we act as
// if all calls were forbidden. Filters that were set before the program began are not known to us.
//
// A thread may also have its system calls raise a signal (PR_SET_SYSCALL_USER_DISPATCH). A byte in
// the thread's memory turns that on and off. While it is on, we make no system call in that thread.

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>

#include "base/sys.h"
#include "base/filter.h"
#include "base/libc.h"
#include "base/guard.h"
#include "heap/next_symbol.h"
#include "log/process_title.h"
#include "log/snapshot.h"

enum { PAGE_BYTES_LEAST = 4096 };

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#define PR_SYS_DISPATCH_ON 1
#endif
#ifndef SECCOMP_FILTER_FLAG_TSYNC
#define SECCOMP_FILTER_FLAG_TSYNC 1
#endif

// The first byte of our library, and the first byte after the library. The linker defines both.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

struct sandbox {
	struct sandbox *outer; // the sandbox that was entered before
	unsigned length;       // number of instructions in code[]; 0 if nothing is allowed
	struct sock_filter code[];
};

// The sandbox that forbids everything (SECCOMP_SET_MODE_STRICT). If no page can be mapped for a
// filter's copy, this sandbox stands for the filter.
static struct sandbox strict;

// The innermost sandbox. Atomic.
static struct sandbox *entered;

enum { DISPATCH_LETS = 0 }; // SYSCALL_DISPATCH_FILTER_ALLOW

// Points to the byte by which this thread says whether its system calls raise a signal. NULL if the
// thread has not set PR_SET_SYSCALL_USER_DISPATCH: then no call raises a signal.
static __thread const volatile char *dispatch;

// If a thread has set PR_SET_SYSCALL_USER_DISPATCH without a byte, its `dispatch` points here: all
// its calls raise a signal.
static const char never = !DISPATCH_LETS;

static bool
lets(const struct sandbox *sandbox, long number, const long arguments[6])
{
	return filter_lets(sandbox->code, sandbox->length, number, arguments);
}

// Returns true if this thread may make the system call. Asks all filters, as the kernel does: each
// of them may forbid the call.
static bool
passes(long number, const long arguments[6])
{
	const struct sandbox *at = __atomic_load_n(&entered, __ATOMIC_ACQUIRE);

	if (dispatch && *dispatch != DISPATCH_LETS)
		return false;
	while (at && lets(at, number, arguments))
		at = at->outer;
	return at == NULL;
}

static bool
is_readable(uintptr_t start, size_t bytes)
{
	uintptr_t last = start + bytes - sizeof(uint64_t);
	for (uintptr_t at = start; at < last; at += PAGE_BYTES_LEAST) {
		if (!sys_readable(at))
			return false;
	}
	return sys_readable(last);
}

// Returns a copy of the filter. Without memory for a copy, returns &strict. Returns NULL if the
// filter cannot be read: then the kernel will refuse the filter.
static struct sandbox *
learn(const struct sock_fprog *program)
{
	if (!is_readable((uintptr_t)program, sizeof(*program)) || program->len == 0)
		return NULL;
	size_t bytes = program->len * sizeof(*program->filter);
	if (!is_readable((uintptr_t)program->filter, bytes))
		return NULL;
	struct sandbox *sandbox = sys_map(sizeof(*sandbox) + bytes);
	if (!sandbox)
		return &strict;
	sandbox->length = program->len;
	memcpy(sandbox->code, program->filter, bytes);
	return sandbox;
}

// Adds the sandbox to the list of entered sandboxes. From then on we make no call that the sandbox
// forbids.
static void
enter(struct sandbox *sandbox)
{
	struct sandbox *outer = __atomic_load_n(&entered, __ATOMIC_ACQUIRE);

	do {
		// If the strict sandbox is the innermost already, it must not be added again. It would
		// become its own `outer`, and the rest of the list would be lost.
		if (sandbox == &strict && outer == &strict)
			return;
		sandbox->outer = outer;
	} while (!__atomic_compare_exchange_n(
		&entered, &outer, sandbox, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	__atomic_store_n(&sys_passes, passes, __ATOMIC_SEQ_CST);
}

// Called before the kernel puts a sandbox on all threads at once. Another thread may have asked
// passes() before enter() added the sandbox. That thread may be about to make a forbidden call.
// Waits until none of our system calls is under way, for a second at most. After one timeout no
// thread waits again.
static void
wait_for_others(void)
{
	static const struct timespec pause = {.tv_nsec = 100000};
	static bool in_vain; // atomic
	int64_t until = sys_clock(CLOCK_MONOTONIC) + INT64_C(1000000000);

	while (sys_is_under_way() && !__atomic_load_n(&in_vain, __ATOMIC_RELAXED)) {
		sys_call2(SYS_nanosleep, (long)&pause, 0);
		if (sys_clock(CLOCK_MONOTONIC) > until)
			__atomic_store_n(&in_vain, true, __ATOMIC_RELAXED);
	}
}

// Takes the sandbox out of the list, since the kernel refused it. If another thread has meanwhile
// entered another sandbox, the refused sandbox stays in the list. Its page is never unmapped, since
// another thread may be reading it.
static void
leave(struct sandbox *sandbox)
{
	__atomic_compare_exchange_n(
		&entered, &sandbox, sandbox->outer, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static NEXT_NAME_NOTED const struct next_name syscall_next = NEXT_NAME("syscall");
static NEXT_NAME_NOTED const struct next_name prctl_next = NEXT_NAME("prctl");

// syscall() and prctl() are variadic. These types have all arguments that a caller may have passed.
// Our hooks end in a jump to the next definition, and keep nothing on the stack. So a program may
// use syscall() for vfork() or clone(), which return twice: in the parent and in the child.
typedef long (*syscall_function)(long, long, long, long, long, long, long);
typedef int (*prctl_function)(int, long, long, long, long);

// Makes the system call without the C library. Used until the next definition of syscall() is
// known.
static __attribute__((noinline)) long
call_kernel(long number, long a, long b, long c, long d, long e, long f)
{
	long result = sys_ask(number, a, b, c, d, e, f);
	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}

static int
call_kernel_prctl(int option, long a, long b, long c, long d)
{
	return (int)call_kernel(SYS_prctl, option, a, b, c, d, 0);
}

static inline syscall_function
real_syscall(void)
{
	uintptr_t at =
		__atomic_load_n(&next_symbol_of(&syscall_next)->code.start, __ATOMIC_RELAXED);
	return at ? (syscall_function)at : call_kernel;
}

static inline prctl_function
real_prctl(void)
{
	uintptr_t at =
		__atomic_load_n(&next_symbol_of(&prctl_next)->code.start, __ATOMIC_RELAXED);
	return at ? (prctl_function)at : call_kernel_prctl;
}

// Returns true if the sandbox allows all system calls that each snapshot makes.
static bool
lets_snapshots(const struct sandbox *sandbox)
{
	static const char path[] = "/";
	const long at = (long)path;
	const long calls[][7] = {
		{SYS_getpid},
		{SYS_rt_sigprocmask, SIG_BLOCK, at, at, 8},
		{SYS_openat, AT_FDCWD, at, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC},
		{SYS_openat, 3, at, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW},
		{SYS_newfstatat, 3, at, at, AT_SYMLINK_NOFOLLOW},
		{SYS_fstat, 3, at},
		{SYS_fcntl, 3, F_GETFL},
		{SYS_flock, 3, LOCK_EX | LOCK_NB},
		{SYS_write, 3, at, 1},
		{SYS_close, 3},
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (!lets(sandbox, calls[i][0], &calls[i][1]))
			return false;
	}
	return true;
}

// Returns true if the kernel would refuse any filter of this process, with EACCES. That is the case
// if the process is not privileged and has not set no_new_privs. The kernel checks this before it
// reads the filter. So we try with a filter that cannot be read. Strict mode has no filter, and is
// never refused for this reason.
static bool
is_refused(const struct sandbox *sandbox, long number, long a, long b)
{
	const struct sock_fprog none = {.len = 1, .filter = (struct sock_filter *)-8L};

	return sandbox->length > 0 && sys_call3(number, a, b, (long)&none) == -EACCES;
}

// Enters the sandbox that the program's call is about to set. If the sandbox forbids calls that
// each snapshot makes, first writes a last snapshot. In a child of vfork(), does nothing and
// returns NULL.
static struct sandbox *
prepare(struct sandbox *sandbox, uintptr_t cfa, long number, long a, long b)
{
	if (!sandbox || !snapshot_is_own_process())
		return NULL;
	if (!lets_snapshots(sandbox) && !is_refused(sandbox, number, a, b) && guard_enter(cfa)) {
		snapshot_take(SNAPSHOT_SANDBOX);
		guard_leave();
	}
	enter(sandbox);
	return sandbox;
}

static __attribute__((noinline)) SYS_ALIGNS_STACK long
seccomp(long operation, long flags, long argument, long d, long e, long f)
{
	struct sandbox *sandbox = NULL;
	int kept = errno;

	if (operation == SECCOMP_SET_MODE_FILTER)
		sandbox = learn((const struct sock_fprog *)argument);
	else if (operation == SECCOMP_SET_MODE_STRICT && argument == 0)
		sandbox = &strict;
	sandbox = prepare(sandbox, GUARD_CFA, SYS_seccomp, operation,
		flags);
	if (sandbox && flags & SECCOMP_FILTER_FLAG_TSYNC)
		wait_for_others();
	errno = kept;
	long result = real_syscall()(SYS_seccomp, operation, flags, argument, d, e, f);
	if (sandbox && result < 0)
		leave(sandbox);
	return result;
}

static __attribute__((noinline)) SYS_ALIGNS_STACK int
set_seccomp(long mode, long argument, long c, long d)
{
	struct sandbox *sandbox = NULL;
	int kept = errno;

	if (mode == SECCOMP_MODE_FILTER)
		sandbox = learn((const struct sock_fprog *)argument);
	else if (mode == SECCOMP_MODE_STRICT)
		sandbox = &strict;
	sandbox = prepare(sandbox, GUARD_CFA, SYS_prctl, PR_SET_SECCOMP,
		mode);
	errno = kept;
	int result = real_prctl()(PR_SET_SECCOMP, mode, argument, c, d);
	if (sandbox && result < 0)
		leave(sandbox);
	return result;
}

// System calls from code in this range raise no signal. Returns true if all our code is in the
// range.
static bool
is_in_range(long offset, long length)
{
	uintptr_t start = (uintptr_t)__ehdr_start - (uintptr_t)offset;
	uintptr_t end = (uintptr_t)_end - (uintptr_t)offset;
	return start < (uintptr_t)length && end <= (uintptr_t)length;
}

// Passes a call of prctl(PR_SET_SYSCALL_USER_DISPATCH) on. Our variable `dispatch` is set before
// the kernel turns dispatch on, and cleared after the kernel has turned it off. So we make no
// system call that would raise a signal.
static __attribute__((noinline)) SYS_ALIGNS_STACK int
set_dispatch(long mode, long offset, long length, long selector)
{
	int kept = errno;
	const volatile char *before = dispatch;

	if (mode != PR_SYS_DISPATCH_OFF && snapshot_is_own_process()
		&& !(mode == PR_SYS_DISPATCH_ON && is_in_range(offset, length))) {
		dispatch = selector ? (const volatile char *)selector : &never;
		__atomic_store_n(&sys_passes, passes, __ATOMIC_SEQ_CST);
	}
	errno = kept;
	int result = real_prctl()(PR_SET_SYSCALL_USER_DISPATCH, mode, offset, length, selector);
	if (before && mode == PR_SYS_DISPATCH_OFF && result == 0) {
		// snapshot_is_own_process() makes a system call, which needs `dispatch` to be NULL. A child
		// of vfork() shares its parent's variables. So in this child the old value is put back.
		dispatch = NULL;
		dispatch = snapshot_is_own_process() ? NULL : before;
	} else if (result != 0) {
		dispatch = before;
	}
	return result;
}

// The headers declare both functions variadic. So the hooks have other names in C, and the exported
// names only for the linker.
long hook_syscall(long number, long a, long b, long c, long d, long e, long f)
	__asm__("syscall") __attribute__((visibility("default")));
int hook_prctl(int option, long a, long b, long c, long d)
	__asm__("prctl") __attribute__((visibility("default")));

long
hook_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (__builtin_expect(number == SYS_seccomp, 0))
		return seccomp(a, b, c, d, e, f);
	return real_syscall()(number, a, b, c, d, e, f);
}

int
hook_prctl(int option, long a, long b, long c, long d)
{
	if (__builtin_expect(option == PR_SET_SECCOMP, 0))
		return set_seccomp(a, b, c, d);
	if (__builtin_expect(option == PR_SET_SYSCALL_USER_DISPATCH, 0))
		return set_dispatch(a, b, c, d);
	if (__builtin_expect(option == PR_SET_NAME, 0))
		process_title_renames();
	return real_prctl()(option, a, b, c, d);
}
