// SPDX-License-Identifier: BSD-2-Clause

#include "base/libc.h"
#include "unwind/cfa.h"
#include "unwind/rule.h"
#include "unwind/x86_64/code_path.h"
#include "unwind/x86_64/code_pattern.h"

static bool
fits(int64_t number, unsigned bits)
{
	int64_t limit = INT64_C(1) << (bits - 1);
	return number >= -limit && number < limit;
}

static bool
is_easy(enum rule_kind kind, int64_t cfa_offset, int64_t fp_offset)
{
	return kind == RULE_SP && cfa_offset % 8 == 0 && cfa_offset + fp_offset >= 0;
}

static uint64_t
packed(enum rule_kind kind, bool saves_fp, int64_t cfa_offset, int64_t fp_offset)
{
	bool plain = kind != RULE_AT_FP;

	if (!saves_fp)
		fp_offset = -8;
	if (!fits(cfa_offset, 32) || !fits(fp_offset, 24)
		|| (plain && (fp_offset > -8 || fp_offset % 8 != 0)))
		return RULE_NONE;
	return (uint64_t)(uint32_t)(int32_t)cfa_offset << 32
		| (is_easy(kind, cfa_offset, fp_offset) ? RULE_EASY : 0)
		| (uint32_t)((uint32_t)(int32_t)fp_offset << 8) | (uint32_t)saves_fp << 3 | kind;
}

uint64_t
rule_word_by_row(const struct cfa_row *row)
{
	enum value_base base = row->cfa.base;
	enum rule_kind kind = base == VALUE_SP ? RULE_SP
		: base == VALUE_FP ? RULE_FP : base == VALUE_AT_FP ? RULE_AT_FP : RULE_NONE;
	// In a rule of kind RULE_AT_FP the saved fp's address is relative to fp. In all other rules it
	// is relative to the cfa.
	enum value_base saved_from = kind == RULE_AT_FP ? VALUE_FP : VALUE_CFA;

	if (row->ra.saving == CFA_UNDEFINED)
		return RULE_END;
	if (kind == RULE_NONE || row->ra.saving != CFA_SAVED || row->ra.at.base != VALUE_CFA
		|| row->ra.at.offset != -8)
		return RULE_NONE;
	if (row->fp.saving == CFA_SAME)
		return packed(kind, false, row->cfa.offset, 0);
	if (row->fp.saving == CFA_SAVED && row->fp.at.base == saved_from)
		return packed(kind, true, row->cfa.offset, row->fp.at.offset);
	return RULE_NONE;
}

uint64_t
rule_word_outside(uintptr_t pc)
{
	unsigned cfa_offset =
		code_pattern_is_trampoline(pc & ~RULE_INTERRUPTED, pc & RULE_INTERRUPTED);

	return cfa_offset == 0 ? RULE_GUESS
		: (packed(RULE_SP, false, cfa_offset, 0) & ~RULE_EASY) | RULE_BY_BYTES;
}

uint64_t
rule_word_in_object(uintptr_t pc)
{
	(void)pc;
	return RULE_GUESS;
}

// musl itself is an object without call frame information, and has no frame pointers. So a guess by fp
// could pass over a frame. The instructions of musl's own code tell the caller for sure. Other code ends
// the stack. It may call functions of other objects that never return, and its paths are not known.
uint64_t
rule_word_on_musl(uintptr_t pc, bool *is_busy)
{
	struct code_path_in in;
	struct frame_way way;
	uintptr_t at = pc & ~RULE_INTERRUPTED;

	in.symbols = libc_musl_code(&in.code);
	if (!in.symbols || !segment_has(&in.code, at, 1))
		return RULE_END | RULE_BY_BYTES;
	enum code_path_result result = code_path_find(&in, at, pc & RULE_INTERRUPTED, &way);
	*is_busy = result == CODE_PATH_BUSY;
	switch (result) {
	case CODE_PATH_SIGNAL: return RULE_SIGNAL;
	case CODE_PATH_NEVER: return RULE_END;
	case CODE_PATH_FOUND:
		return packed(way.by_fp ? RULE_FP : RULE_SP, way.saves_fp, way.cfa_offset, way.fp_offset)
			| RULE_BY_BYTES;
	default: return RULE_END | RULE_BY_BYTES;
	}
}

void
rule_word_fork(void)
{
	code_path_fork();
}
