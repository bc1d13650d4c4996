#include <linux/audit.h>
#include <linux/seccomp.h>
#include <string.h>

#include "sys.h"
#include "sandbox.h"

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

// What there is when no page is to be had for a copy.
static struct sandbox strict;

// The innermost. Atomic.
static struct sandbox *entered;

bool (*sys_passes)(long number, const long arguments[6]);

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

bool
sandbox_lets(const struct sandbox *sandbox, long number, const long arguments[6])
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

	while (at && sandbox_lets(at, number, arguments))
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

struct sandbox *
sandbox_learn(const struct sock_fprog *program)
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

struct sandbox *
sandbox_strict(void)
{
	return &strict;
}

void
sandbox_enter(struct sandbox *sandbox)
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

// Another thread may have entered one meanwhile, and may be looking at this one: it stays then,
// and its page in any case.
void
sandbox_leave(struct sandbox *sandbox)
{
	__atomic_compare_exchange_n(
		&entered, &sandbox, sandbox->outer, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
