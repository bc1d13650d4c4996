// SPDX-License-Identifier: BSD-2-Clause

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <string.h>

#include "base/filter.h"

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
	ARCHITECTURE = 0, // no known processor: a filter that compares the processor forbids every call
#endif
};

// Registers of the machine that runs a filter (classic BPF, linux/filter.h).
struct machine {
	uint32_t a;
	uint32_t x;
	uint32_t memory[BPF_MEMWORDS];
};

// Executes an arithmetic instruction. Returns false for a division by zero, or an unknown
// operation.
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

// Sets `word` to the word that the instruction loads. Returns false if that word does not exist.
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

// Returns the filter's answer. If the filter divides by zero, has an unknown instruction or never
// returns, the answer is SECCOMP_RET_KILL.
static uint32_t
run(const struct sock_filter *code, size_t length, const struct seccomp_data *data)
{
	struct machine machine = {0};

	for (size_t i = 0; i < length; i++) {
		const struct sock_filter *at = &code[i];
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
filter_lets(const struct sock_filter *code, size_t length, long number, const long arguments[6])
{
	struct seccomp_data data = {.nr = (int)number, .arch = (uint32_t)ARCHITECTURE};

	for (int i = 0; i < 6; i++)
		data.args[i] = (uint64_t)arguments[i];
	uint32_t action = run(code, length, &data) & SECCOMP_RET_ACTION_FULL;
	return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}
