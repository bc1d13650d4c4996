// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "unwind/tail_cache.h"

void
tails_forget(struct tail_cache *tails)
{
	for (struct tail_cache_set *set = tails->sets; set < tails->sets + TAIL_SETS; set++)
		for (struct tail_cache_hint *hint = set->hints; hint < set->hints + TAIL_WAYS;
			 hint++)
			hint->key = 0;
}

// Called in a fork's child when no entry is left. Takes all entries from all hints, also those that no hint
// has any more. A signal handler may interrupt here and never return. So no entry is given again before all
// hints have lost theirs.
static __attribute__((noinline)) void
take_back(struct tail_cache *tails)
{
	tails_forget(tails);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	for (struct tail_cache_set *set = tails->sets; set < tails->sets + TAIL_SETS; set++)
		for (struct tail_cache_hint *hint = set->hints; hint < set->hints + TAIL_WAYS;
			 hint++)
			hint->tail = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tails->given = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tails->are_inherited = false;
}

struct unwind_sum *
tail_cache_keep(struct tail_cache *tails, const struct memo_frame *last,
	const struct memo_frame *join, const struct saved_word *start, const struct unwind_sum *sum)
{
	const struct saved_word *words = last->words_end;
	uint64_t place = tail_cache_hash(last->at.pc, last->at.sp);
	size_t set = tail_cache_set(place);
	uintptr_t offset = (words[-1].at - last->at.sp) / sizeof(words->at);

	if (words - join->words_end > TAIL_WORDS || offset > UINT16_MAX
		|| (words[-1].at - last->at.sp) % sizeof(words->at) != 0)
		return NULL;
	struct tail_cache_hint *hint =
		&tails->sets[set].hints[tails->oldest[set]++ % TAIL_WAYS];
	hint->key = 0;
	if (tails->are_inherited && tails->given >= TAIL_SETS * TAIL_WAYS)
		take_back(tails);
	if (hint->tail == 0 || tails->are_inherited) {
		// The addition is atomic: a signal handler that interrupts here gets another tail. If two
		// hints had the same tail, one would lead to a tail that begins at the other hint's frame.
		// If the handler never returns, this tail stays unused.
		if (tails->given >= TAIL_SETS * TAIL_WAYS)
			return NULL;
		uint32_t given = __atomic_fetch_add(&tails->given, 1, __ATOMIC_RELAXED);
		if (given >= TAIL_SETS * TAIL_WAYS)
			return NULL;
		hint->tail = (uint16_t)((uint64_t *)&tails->tails[given] - (uint64_t *)tails);
	}
	struct tail *tail = tail_cache_find(tails, hint);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	struct saved_word *to = tail->words;
	const struct saved_word *from = words - 1;
	// The first word is always stored, since the hint has a copy of its value.
	for (*to++ = *from; from > join->words_end; )
		*to++ = *--from;
	saved_word_end(to);
	tail->at = last->at;
	tail->sum.hash = sum->hash;
	tail->sum.loop = sum->loop;
	tail->sum.hook = sum->hook; // the mark alone: of the other fields nothing is kept yet
	tail->sum.join = (uint16_t)((const uint64_t *)join - (const uint64_t *)start);
	tail->sum.needs_fp = (uint8_t)(last->needs_fp | join->needs_fp << 1);
	tail->join_sp = join->at.sp;
	tail->join_fp = join->at.fp;
	tail->join_hash = join->hash;
	hint->offset = (uint16_t)offset;
	hint->value = words[-1].value;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	hint->key = tail_cache_key(place);
	return &tail->sum;
}
