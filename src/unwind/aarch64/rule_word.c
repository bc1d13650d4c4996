// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/libc.h"
#include "base/sys.h"
#include "unwind/cfa.h"
#include "unwind/rule.h"
#include "unwind/aarch64/code_path.h"

enum {
	A_BITS = 26,
	C_BITS = 22, // of a + c
	BEYOND_C_BITS = 8, // of b - c
	SUM_BITS = 40, // of numbers whose sums do not overflow
};

static bool
fits(int64_t number, unsigned bits)
{
	int64_t limit = INT64_C(1) << (bits - 1);
	return number % 8 == 0 && number / 8 >= -limit && number / 8 < limit;
}

// `number` must fit the bits.
static uint64_t
field(int64_t number, unsigned bits, unsigned shift)
{
	return ((uint64_t)(number / 8) & ((UINT64_C(1) << bits) - 1)) << shift;
}

// Returns a rule with the offsets a, b and c of rule_word.h.
static uint64_t
packed(enum rule_kind kind, bool saves_fp, int64_t a, int64_t b, int64_t c)
{
	int64_t lowest = b < c ? b : c;

	if (!fits(a, A_BITS) || !fits(b, SUM_BITS) || !fits(c, SUM_BITS) || !fits(a + c, C_BITS)
		|| !fits(b - c, BEYOND_C_BITS) || b > -8 || c > -8)
		return RULE_NONE;
	return field(a, A_BITS, 38) | field(a + c, C_BITS, 16) | field(b - c, BEYOND_C_BITS, 8)
		| (kind == RULE_SP && a + lowest >= 0 ? RULE_EASY : 0) | (uint32_t)saves_fp << 3 | kind;
}

uint64_t
rule_word_by_row(const struct cfa_row *row)
{
	bool saves_fp = row->fp.saving == CFA_SAVED;
	bool saves_ra = row->ra.saving == CFA_SAVED;
	enum value_base base = row->cfa.base;

	if (row->ra.saving == CFA_UNDEFINED)
		return RULE_END;
	if ((saves_fp && row->fp.at.base != VALUE_CFA) || (saves_ra && row->ra.at.base != VALUE_CFA)
		|| (!saves_fp && row->fp.saving != CFA_SAME) || (!saves_ra && row->ra.saving != CFA_SAME)
		|| (base != VALUE_SP && base != VALUE_FP))
		return RULE_NONE;
	int64_t b = saves_fp ? row->fp.at.offset : saves_ra ? row->ra.at.offset : -8;
	int64_t c = saves_ra ? row->ra.at.offset : b;
	if (saves_ra)
		return packed(base == VALUE_SP ? RULE_SP : RULE_FP, saves_fp, row->cfa.offset, b, c);
	return base == VALUE_SP ? packed(RULE_IN_LR, saves_fp, row->cfa.offset, b, c) : RULE_NONE;
}

// A signal handler returns to these instructions, which are in the vdso, or in musl.
static const uint32_t signal_return[] = {
	0xd2801168, // mov x8, #139: rt_sigreturn
	0xd4000001, // svc #0
};

uint64_t
rule_word_in_object(uintptr_t pc)
{
	uintptr_t at = pc & ~RULE_INTERRUPTED;
	bool returns = at % sizeof(uint32_t) == 0 && sys_readable(at)
		&& memcmp((const void *)at, signal_return, sizeof(signal_return)) == 0;
	return returns ? RULE_SIGNAL : RULE_GUESS;
}

// musl itself has no call frame information. The instructions of its code tell the caller of a frame that
// called something. Other code ends the stack.
uint64_t
rule_word_on_musl(uintptr_t pc, bool *is_busy)
{
	struct segment code;
	struct code_path_frame frame;
	uint64_t rule = RULE_NONE;

	(void)is_busy;
	if (rule_word_in_object(pc) == RULE_SIGNAL)
		return RULE_SIGNAL;
	if (pc & RULE_INTERRUPTED || !libc_musl_code(&code) || !segment_has(&code, pc, 1))
		return RULE_END | RULE_BY_BYTES;
	switch (code_path_find(&code, pc, &frame)) {
	case CODE_PATH_NEVER: return RULE_END;
	case CODE_PATH_FOUND:
		rule = packed(frame.by_fp ? RULE_FP : RULE_SP, true, frame.cfa, frame.fp, frame.ra);
		break;
	default: break;
	}
	return rule == RULE_NONE ? RULE_END | RULE_BY_BYTES : rule | RULE_BY_BYTES;
}
