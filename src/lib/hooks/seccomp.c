// Where a program puts itself into a sandbox (seccomp): prctl() and syscall(). Both are passed
// on as they came. What we want of them is the filter, before the kernel has it: see sandbox.h.

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/file.h>
#include <sys/prctl.h>

#include "sys.h"
#include "libc.h"
#include "guard.h"
#include "next.h"
#include "sandbox.h"
#include "snapshot.h"

static struct next syscall_next = {.name = "syscall"};
static struct next prctl_next = {.name = "prctl"};
NEXT_NOTE(syscall, syscall_next);
NEXT_NOTE(prctl, prctl_next);

// Variadic, they take what may be there where the caller put it. The last call of a function
// that keeps nothing is a jump: a child of vfork() or clone() that comes back through here a
// second time finds its caller's stack as it was.
typedef long (*syscall_function)(long, long, long, long, long, long, long);
typedef int (*prctl_function)(int, long, long, long, long);

// Before our own start nothing is known of what is behind us.
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
	uintptr_t at = __atomic_load_n(&syscall_next.code.start, __ATOMIC_RELAXED);
	return at ? (syscall_function)at : call_kernel;
}

static inline prctl_function
real_prctl(void)
{
	uintptr_t at = __atomic_load_n(&prctl_next.code.start, __ATOMIC_RELAXED);
	return at ? (prctl_function)at : call_kernel_prctl;
}

// Whether it lets through what each block needs.
static bool
lets_blocks(const struct sandbox *sandbox)
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
		if (!sandbox_lets(sandbox, calls[i][0], &calls[i][1]))
			return false;
	}
	return true;
}

// The filter that is about to be, if it is this process's. While its calls can still be made the
// log is ended, if it lets no block be written.
static struct sandbox *
enter(struct sandbox *sandbox, uintptr_t cfa)
{
	if (!sandbox || !snapshot_is_own_process())
		return NULL;
	if (!lets_blocks(sandbox) && guard_enter(cfa)) {
		snapshot_take(SNAPSHOT_SANDBOX);
		guard_leave();
	}
	sandbox_enter(sandbox);
	return sandbox;
}

static __attribute__((noinline)) SYS_ALIGNS_STACK long
seccomp(long operation, long flags, long argument, long d, long e, long f)
{
	struct sandbox *sandbox = NULL;
	int kept = errno;

	if (operation == SECCOMP_SET_MODE_FILTER)
		sandbox = sandbox_learn((const struct sock_fprog *)argument);
	else if (operation == SECCOMP_SET_MODE_STRICT && argument == 0)
		sandbox = sandbox_strict();
	sandbox = enter(sandbox, (uintptr_t)__builtin_dwarf_cfa());
	errno = kept;
	long result = real_syscall()(SYS_seccomp, operation, flags, argument, d, e, f);
	if (sandbox && result < 0)
		sandbox_leave(sandbox);
	return result;
}

static __attribute__((noinline)) SYS_ALIGNS_STACK int
set_seccomp(long mode, long argument, long c, long d)
{
	struct sandbox *sandbox = NULL;
	int kept = errno;

	if (mode == SECCOMP_MODE_FILTER)
		sandbox = sandbox_learn((const struct sock_fprog *)argument);
	else if (mode == SECCOMP_MODE_STRICT)
		sandbox = sandbox_strict();
	sandbox = enter(sandbox, (uintptr_t)__builtin_dwarf_cfa());
	errno = kept;
	int result = real_prctl()(PR_SET_SECCOMP, mode, argument, c, d);
	if (sandbox && result < 0)
		sandbox_leave(sandbox);
	return result;
}

// Under their names for the linker alone: the headers declare them variadic.
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
	return real_prctl()(option, a, b, c, d);
}
