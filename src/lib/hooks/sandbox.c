// Where a program puts itself into a sandbox (seccomp): prctl() and syscall(), which are passed on
// as they came. What we want of them is the filter of system calls, before the kernel has it.
//
// A filter may end the process for a call that it does not list, or answer it with an error.
// It cannot be asked which; but it is a program of a few hundred instructions that the host
// hands to the kernel, and so it can be run beforehand: sys.h does so before each call of ours,
// and makes none that the kernel would not let through.
//
// A copy is in pages of our own. What cannot be learnt is taken for a filter that lets nothing
// through. Filters that were there when the program began are not known.

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>

#include "sys.h"
#include "libc.h"
#include "guard.h"
#include "next_definition.h"
#include "title.h"
#include "snapshot.h"

#ifndef SECCOMP_RET_ACTION_FULL
#define SECCOMP_RET_ACTION_FULL 0xffff0000U
#endif
#ifndef SECCOMP_RET_LOG
#define SECCOMP_RET_LOG 0x7ffc0000U
#endif

enum {
#if defined(__x86_64__)
	ARCHITECTURE = (int)AUDIT_ARCH_X86_64,
#elif defined(__aarch64__)
	ARCHITECTURE = (int)AUDIT_ARCH_AARCH64,
#else
	ARCHITECTURE = 0, // not known: each filter that looks at it lets nothing through
#endif
	PAGE_BYTES_LEAST = 4096,
};

struct sandbox {
	struct sandbox *outer; // that was entered before
	unsigned length;       // instructions; 0: lets nothing through
	struct sock_filter code[];
};

// The one that lets nothing through (SECCOMP_SET_MODE_STRICT), and what there is when no page is to
// be had for a copy.
static struct sandbox strict;

// The innermost. Atomic.
static struct sandbox *entered;

// Registers of the machine that runs a filter (classic BPF, linux/filter.h).
struct machine {
	uint32_t a;
	uint32_t x;
	uint32_t memory[BPF_MEMWORDS];
};

// False: by zero, or of an unknown kind.
static bool
compute(struct machine *machine, uint16_t code, uint32_t by)
{
	switch (BPF_OP(code)) {
	case BPF_ADD: machine->a += by; return true;
	case BPF_SUB: machine->a -= by; return true;
	case BPF_MUL: machine->a *= by; return true;
	case BPF_AND: machine->a &= by; return true;
	case BPF_OR: machine->a |= by; return true;
	case BPF_XOR: machine->a ^= by; return true;
	case BPF_LSH: machine->a <<= by & 31; return true;
	case BPF_RSH: machine->a >>= by & 31; return true;
	case BPF_NEG: machine->a = -machine->a; return true;
	case BPF_DIV: machine->a = by ? machine->a / by : 0; return by != 0;
	}
	return false;
}

static bool
jumps(uint16_t code, uint32_t a, uint32_t by)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ: return a == by;
	case BPF_JGT: return a > by;
	case BPF_JGE: return a >= by;
	case BPF_JSET: return (a & by) != 0;
	}
	return false;
}

// False: no such word.
static bool
load(struct machine *machine, const struct sock_filter *at, const struct seccomp_data *data,
	uint32_t *word)
{
	switch (BPF_MODE(at->code)) {
	case BPF_IMM: *word = at->k; return true;
	case BPF_LEN: *word = sizeof(*data); return true;
	case BPF_MEM:
		*word = at->k < BPF_MEMWORDS ? machine->memory[at->k] : 0;
		return at->k < BPF_MEMWORDS;
	case BPF_ABS:
		if (at->k > sizeof(*data) - sizeof(*word))
			return false;
		memcpy(word, (const char *)data + at->k, sizeof(*word));
		return true;
	}
	return false;
}

// What the filter answers; to anything that it cannot be, to kill.
static uint32_t
run(const struct sandbox *sandbox, const struct seccomp_data *data)
{
	struct machine machine = {0};

	for (size_t i = 0; i < sandbox->length; i++) {
		const struct sock_filter *at = &sandbox->code[i];
		uint32_t by = BPF_SRC(at->code) == BPF_X ? machine.x : at->k;
		bool fine = true;
		switch (BPF_CLASS(at->code)) {
		case BPF_LD: fine = load(&machine, at, data, &machine.a); break;
		case BPF_LDX: fine = load(&machine, at, data, &machine.x); break;
		case BPF_ALU: fine = compute(&machine, at->code, by); break;
		case BPF_RET: return BPF_RVAL(at->code) == BPF_A ? machine.a : at->k;
		case BPF_JMP:
			i += BPF_OP(at->code) == BPF_JA ? at->k
				: jumps(at->code, machine.a, by) ? at->jt : at->jf;
			break;
		case BPF_ST:
		case BPF_STX:
			fine = at->k < BPF_MEMWORDS;
			if (fine)
				machine.memory[at->k]
					= BPF_CLASS(at->code) == BPF_ST ? machine.a : machine.x;
			break;
		case BPF_MISC:
			if (BPF_MISCOP(at->code) == BPF_TAX)
				machine.x = machine.a;
			else
				machine.a = machine.x;
			break;
		}
		if (!fine)
			break;
	}
	return SECCOMP_RET_KILL;
}

// Whether the kernel would carry out the call under this filter.
static bool
lets(const struct sandbox *sandbox, long number, const long arguments[6])
{
	struct seccomp_data data = {.nr = (int)number, .arch = (uint32_t)ARCHITECTURE};

	for (int i = 0; i < 6; i++)
		data.args[i] = (uint64_t)arguments[i];
	uint32_t action = run(sandbox, &data) & SECCOMP_RET_ACTION_FULL;
	return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}

// As the kernel does it: all of them are asked, and each may forbid.
static bool
passes(long number, const long arguments[6])
{
	const struct sandbox *at = __atomic_load_n(&entered, __ATOMIC_ACQUIRE);

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

// A copy of the filter. NULL: the kernel will not be able to read it, either.
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

// From here on no call of ours is made that it does not let through.
static void
enter(struct sandbox *sandbox)
{
	struct sandbox *outer = __atomic_load_n(&entered, __ATOMIC_ACQUIRE);

	do {
		// It is in the list already, for good.
		if (sandbox == &strict && outer == &strict)
			return;
		sandbox->outer = outer;
	} while (!__atomic_compare_exchange_n(
		&entered, &outer, sandbox, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	__atomic_store_n(&sys_passes, passes, __ATOMIC_RELEASE);
}

// The kernel did not take it. Another thread may have entered one meanwhile, and may be looking at
// this one: it stays then, and its page in any case.
static void
leave(struct sandbox *sandbox)
{
	__atomic_compare_exchange_n(
		&entered, &sandbox, sandbox->outer, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static NEXT_NAME_NOTED const struct next_name syscall_next = NEXT_NAME("syscall");
static NEXT_NAME_NOTED const struct next_name prctl_next = NEXT_NAME("prctl");

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
	uintptr_t at = __atomic_load_n(&next_definition_of(&syscall_next)->code.start, __ATOMIC_RELAXED);
	return at ? (syscall_function)at : call_kernel;
}

static inline prctl_function
real_prctl(void)
{
	uintptr_t at = __atomic_load_n(&next_definition_of(&prctl_next)->code.start, __ATOMIC_RELAXED);
	return at ? (prctl_function)at : call_kernel_prctl;
}

// Whether it lets through what each snapshot needs.
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

// Whether the kernel takes no filter by this call: of who has no right to one, and has not
// promised to want none (no_new_privs). It looks at that before it reads the filter, and here it
// cannot read one. In strict mode there is none to read.
static bool
is_refused(const struct sandbox *sandbox, long number, long a, long b)
{
	const struct sock_fprog none = {.len = 1, .filter = (struct sock_filter *)-8L};

	return sandbox->length > 0 && sys_call3(number, a, b, (long)&none) == -EACCES;
}

// The filter that is about to be by this call, if it is this process's. While its calls can still
// be made the log is ended, if it lets no snapshot be written.
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
	sandbox = prepare(sandbox, (uintptr_t)__builtin_dwarf_cfa(), SYS_seccomp, operation,
		flags);
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
	sandbox = prepare(sandbox, (uintptr_t)__builtin_dwarf_cfa(), SYS_prctl, PR_SET_SECCOMP,
		mode);
	errno = kept;
	int result = real_prctl()(PR_SET_SECCOMP, mode, argument, c, d);
	if (sandbox && result < 0)
		leave(sandbox);
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
	if (__builtin_expect(option == PR_SET_NAME, 0))
		title_renames();
	return real_prctl()(option, a, b, c, d);
}
