// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "elf/module.h"
#include "unwind/memo.h"

_Static_assert(offsetof(struct memo, words) == 0
		&& offsetof(struct memo, fresh) / sizeof(uint64_t) <= UINT16_MAX,
	"a tail has its join's distance from words[0]");

struct memo *
memo_new(void)
{
	struct memo *memo = table_map(TABLE_WALKS, sizeof(*memo));
	if (memo)
		memo_forget(memo);
	return memo;
}

static inline struct memo_frame *
first_frame(struct memo *memo)
{
	return memo->frames + MEMO_ENDS;
}

// Sets whether the first frame, the outermost, has no caller, and whether it is an interpreter's
// loop.
static inline void
set_end(struct memo *memo, bool ends, bool in_loop)
{
	memo->ends = ends;
	memo->in_loop = ends && in_loop;
}

void
memo_forget(struct memo *memo)
{
	memo->end = first_frame(memo);
	set_end(memo, false, false);
	saved_word_end(&memo->words[0]);
	tails_forget(&memo->tails);
	memo->frames[0] = (struct memo_frame){.words_end = memo->words + 1};
	memo->frames[1] = (struct memo_frame){
		.at = {0, UINTPTR_MAX, 0}, .words_end = memo->words + 1};
}

static inline bool
is_at(const struct memo_frame *frame, const struct unwind *at)
{
	return frame->at.sp == at->sp && frame->at.pc == at->pc
		&& (!frame->needs_fp || frame->at.fp == at->fp);
}

// Returns the frame whose step to its caller read this word: the given frame, or a frame outwards
// of it.
static inline struct memo_frame *
frame_of_word(struct memo_frame *frame, const struct saved_word *word)
{
	while (frame[-1].words_end > word)
		frame--;
	return frame;
}

// Makes room for inner frames by forgetting the outermost frames.
static __attribute__((noinline)) void
forget_outermost(struct memo *memo, size_t forgotten)
{
	struct memo_frame *first = first_frame(memo);
	size_t kept = (size_t)(memo->end - first) - forgotten;
	size_t words = (size_t)(first[forgotten - 1].words_end - (memo->words + 1));
	struct saved_word *words_end = memo->end[-1].words_end;

	memo->end = first;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	set_end(memo, false, false);
	first[-1].hash = first[forgotten - 1].hash;
	memmove(first, first + forgotten, kept * sizeof(*first));
	memmove(memo->words + 1, memo->words + 1 + words,
		(size_t)((char *)words_end - (char *)(memo->words + 1 + words)));
	for (size_t i = 0; i < kept; i++)
		first[i].words_end -= words;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memo->end = first + kept;
}

// The page of code of the last frame whose rule has RULE_SALTED, and that page's module_salt(). The
// next frame with RULE_SALTED often is in the same page.
struct page_salt {
	uintptr_t page; // 0 if none yet
	uint64_t salt;
};

static inline uintptr_t
salted(struct page_salt *last, uintptr_t pc)
{
	if (last->page != pc >> MODULE_PAGE_BITS)
		*last = (struct page_salt){pc >> MODULE_PAGE_BITS, module_salt(pc)};
	return pc ^ last->salt;
}

// Appends the walk's frames to the memo's, innermost last. Returns the hash of all frames. A signal
// handler may interrupt here and never return. So `end` is moved last, and frames before it are
// valid at any moment.
static inline __attribute__((always_inline)) uint64_t
push(struct memo *memo, const struct memo_fresh *fresh_end)
{
	struct memo_frame *frame = memo->end;
	uint64_t hash = frame[-1].hash;
	struct saved_word *words = frame[-1].words_end;
	struct page_salt salt = {0};
	struct saved_word ra = saved_word_ra(frame[-1].at.sp, frame[-1].at.pc);
	bool needs_fp = frame[-1].needs_fp;
	// False if an easy step (RULE_EASY) from the next frame to frame[-1] reads just the return
	// address. If `needs_fp`, the step may read the saved fp, too. If frame[-1] is no frame (its sp
	// is UINTPTR_MAX), the step leads nowhere, and may read no word at all.
	bool needs_more = needs_fp || frame[-1].at.sp == UINTPTR_MAX;

	for (; fresh_end != memo->fresh; frame++) {
		uint64_t rule = (--fresh_end)->step.rule;
		uintptr_t pc = fresh_end->at.pc;
		frame->at.pc = pc;
		frame->at.sp = fresh_end->at.sp;
		if (__builtin_expect(rule_is_easy(rule) && !needs_more, 1)) {
			hash = hash_append(hash, rule_is_salted(rule) ? salted(&salt, pc) : pc);
			*words++ = saved_word_by_rule(ra, rule);
			frame->needs_fp = false;
			frame->guessed = 0;
		} else {
			pc = rule_return_address(pc);
			hash = hash_append(hash, rule_is_salted(rule) ? salted(&salt, pc) : pc);
			words = saved_word_note(words, &fresh_end->at, &fresh_end->step, &frame[-1].at,
				frame[-1].needs_fp);
			needs_fp = (int)rule_uses_fp(rule) | (!rule_saves_fp(rule) & needs_fp);
			needs_more = needs_fp;
			frame->at.fp = fresh_end->at.fp;
			frame->needs_fp = needs_fp;
			frame->guessed = (rule_kind(rule) == RULE_GUESS || rule_is_by_bytes(rule))
				+ unwind_is_unknown(rule, frame->at.fp);
		}
		frame->hash = hash;
		frame->words_end = words;
		ra = saved_word_ra(frame->at.sp, frame->at.pc);
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memo->end = frame;
	return hash;
}

// Returns the hash of the innermost MEMO_WANTED frames. `hash` is the hash of all frames.
static inline uint64_t
hash_of_wanted(struct memo *memo, uint64_t hash)
{
	if (__builtin_expect(memo->end - first_frame(memo) < MEMO_WANTED, 1))
		return hash;
	return hash - memo->end[-MEMO_WANTED - 1].hash * hash_power(MEMO_WANTED);
}

// Makes the sum of the memo's stack. `hash` is the hash of its innermost MEMO_WANTED frames.
static inline struct unwind_sum *
sum_of(struct memo *memo, uint64_t hash)
{
	bool is_whole = memo->end - (memo->frames + MEMO_ENDS) <= MEMO_WANTED;

	memo->sum.hash = hash ^ memo->salt;
	memo->sum.loop = memo->in_loop && is_whole && !(rule_walk_met & RULE_WALK_SIGNAL)
		? memo->frames[MEMO_ENDS].at.pc : 0;
	memo->sum.hook = memo->sum.loop ? ~memo->mark : memo->mark;
	return &memo->sum;
}

// Does the same as sum_of(), and stores the way from the memo's innermost frame to `join` as a
// tail. A stack that ends in an interpreter's loop is short, and shares few frames with other
// stacks. So all of it is stored as one tail, if it fits.
static struct unwind_sum *
sum_and_keep(struct memo *memo, const struct memo_frame *join, uint64_t hash)
{
	struct unwind_sum *sum = sum_of(memo, hash), *kept = NULL;

	if (sum->loop != 0)
		kept = tail_cache_keep(&memo->tails, memo->end - 1, memo->frames, memo->words,
			sum);
	if (!kept)
		kept = tail_cache_keep(&memo->tails, memo->end - 1, join, memo->words, sum);
	return kept ? kept : sum;
}

// Replaces the memo's frames by the walk's frames. `ends` is true if the walk's last frame has no
// caller.
static __attribute__((noinline)) struct unwind_sum *
replace(struct memo *memo, const struct memo_fresh *fresh_end, bool ends)
{
	memo->end = first_frame(memo);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	set_end(memo, ends, rule_is_loop(fresh_end[-1].step.rule));
	// Two stacks may have the same frames, although one ends in a loop, the other for want of
	// unwind information. This seed makes their hashes differ. So a tail joins only a stack that
	// ends in the same way as the tail's own stack.
	first_frame(memo)[-1].hash = memo->in_loop;
	uint64_t hash = hash_of_wanted(memo, push(memo, fresh_end));
	if (memo->in_loop && !rule_walk_met)
		return sum_and_keep(memo, memo->frames, hash);
	return sum_of(memo, hash);
}

// Returns the innermost frame that is not inwards of sp: the given frame, or a frame outwards of
// it.
static inline struct memo_frame *
reach(struct memo_frame *frame, uintptr_t sp)
{
	while (frame->at.sp < sp)
		frame--;
	return frame;
}

// Returns `cfa`. If the memo's frame has `cfa` as its sp, the value is loaded from the memo. The
// processor predicts the comparison. So it can read the next frame before it has loaded the rule
// from which `cfa` is computed. Mostly the prediction is right: successive stacks differ more in
// their addresses than in their frames' sizes.
static inline uintptr_t
foreseen(const struct memo_frame *frame, uintptr_t cfa)
{
	return frame->at.sp == cfa ? *(const volatile uintptr_t *)&frame->at.sp : cfa;
}

// Returns true if the memo must forget the frames of this walk. After a fleeting walk
// (RULE_WALK_FLEETING), a comparison could read memory that is no longer mapped. If a signal came
// in a stack that ends in an interpreter's loop, the next walk must notice it, too. A walk that
// stopped at frames of the memo would not notice the signal. That walk would return a `loop` though
// the interpreter may be between two lines (memo_take()).
static bool
is_to_forget(const struct memo *memo)
{
	return rule_walk_met & RULE_WALK_FLEETING
		|| (rule_walk_met & RULE_WALK_SIGNAL && memo->in_loop);
}

// Walks from a frame outwards until it meets the memo's frames, and stores the new ones.
static __attribute__((noinline)) struct unwind_sum *
walk(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	struct unwind frame = {pc, sp, fp};
	// The innermost frame of the memo that may still be a frame of the stack.
	struct memo_frame *last = memo->end - 1;
	struct memo_fresh *fresh = memo->fresh;

	uintptr_t end = unwind_begin(&frame);
	last = reach(last, sp);
	for (;;) {
		if (is_at(last, &frame)) {
			const struct saved_word *changed = memo_compare(last);
			bool all = changed == memo->words;
			struct memo_frame *held = all ? first_frame(memo) : frame_of_word(last, changed);
			if ((all && memo->ends) || (fresh - memo->fresh) + (last + 1 - held) >= MEMO_WANTED)
				break;
			// The step from `held` reads a word that has changed, so steps must be made from `held`
			// on. These steps may need fp. The words of the frames from `last` out to `held` are
			// unchanged, but their fp was not compared. So steps must be made from these frames,
			// too.
			last = reach(held - 1, frame.sp);
		}
		if (fresh == memo->fresh + MEMO_FRESH)
			return replace(memo, fresh, false);
		fresh->at.pc = frame.pc;
		fresh->at.sp = frame.sp;
		fresh->at.fp = frame.fp;
		uintptr_t cfa;
		if (unwind_is_easy(&frame, end, &fresh->step, &cfa)) {
			last = reach(last, cfa);
			if (unwind_easily(&frame, &fresh->step, foreseen(last, cfa))) {
				fresh++;
				continue;
			}
		}
		enum unwind_result result = unwind_outwards(&frame, &fresh->step);
		end = unwind_end(frame.sp);
		last = reach(last, frame.sp);
		fresh++;
		if (__builtin_expect(result != UNWIND_CALLER, 0)) {
			if (result == UNWIND_LOST && fresh - memo->fresh < MEMO_WANTED) {
				memo->sum.hash = 0;
				memo->sum.hook = 0;
				return &memo->sum;
			}
			if (result == UNWIND_LOST)
				fresh[-1].step.rule = RULE_NONE | (fresh[-1].step.rule & RULE_SALTED);
			return replace(memo, fresh, result == UNWIND_END);
		}
	}
	memo->end = last + 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(last + (fresh - memo->fresh) >= first_frame(memo) + MEMO_FRAMES, 0)) {
		forget_outermost(memo, (size_t)(fresh - memo->fresh));
		last = memo->end - 1;
	}
	uint64_t hash = hash_of_wanted(memo, push(memo, fresh));
	if (__builtin_expect(!rule_walk_met, 1) || !is_to_forget(memo))
		return sum_and_keep(memo, last, hash);
	return sum_of(memo, hash);
}

static __attribute__((noinline)) void
end_odd_walk(struct memo *memo)
{
	if (is_to_forget(memo)) {
		memo->end = first_frame(memo);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		set_end(memo, false, false);
	}
	unwind_end_odd();
}

// Not inlined, so that memo_take() need not save registers if a tail has the stack.
static __attribute__((noinline)) struct unwind_sum *
walk_and_end(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	struct unwind_sum *sum = walk(memo, pc, sp, fp);

	if (__builtin_expect(rule_walk_met, 0))
		end_odd_walk(memo);
	return sum;
}

// Takes the stack by the tail of a later hint in the same set (tail_cache.h), or by a walk. Called
// if the tail of `hint` is not this stack's.
static __attribute__((noinline)) struct unwind_sum *
take_other(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp,
	const struct tail_cache_hint *hint)
{
	// the key of pc and sp; 1 if a signal handler has meanwhile set hint->key to 0
	uint32_t key = hint->key | 1;

	while (!tail_cache_is_end(++hint)) {
		if (hint->key != key || !tail_cache_is_hinted(hint, sp))
			continue;
		struct tail *tail = tail_cache_find(&memo->tails, hint);
		if (tail_cache_leads_out(tail, pc, sp, fp, memo->end, memo->words))
			return &tail->sum;
	}
	return walk_and_end(memo, pc, sp, fp);
}

// What is rare is a call that ends this function. So this function saves few registers.
struct unwind_sum *
memo_take(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	uint64_t place = tail_cache_hash(pc, sp);
	const struct tail_cache_hint *hint = memo->tails.sets[tail_cache_set(place)].hints;

	while (!__builtin_expect(hint->key == tail_cache_key(place) && tail_cache_is_hinted(hint, sp), 1)) {
		if (tail_cache_is_end(++hint))
			return walk_and_end(memo, pc, sp, fp);
	}
	struct tail *tail = tail_cache_find(&memo->tails, hint);
	if (__builtin_expect(!tail_cache_leads_out(tail, pc, sp, fp, memo->end, memo->words), 0))
		return take_other(memo, pc, sp, fp, hint);
	return &tail->sum;
}

uint32_t
memo_frames(struct memo *memo, const struct unwind *from, uintptr_t frames[MEMO_WANTED],
	struct unwind_way *way)
{
	bool found = walk(memo, from->pc, from->sp, from->fp)->hash != 0;
	uint32_t count = (uint32_t)(memo->end - first_frame(memo));
	uint32_t depth = !found ? 0 : count < MEMO_WANTED ? count : MEMO_WANTED;

	way->cut = count > MEMO_WANTED || !memo->ends;
	way->in_loop = memo->in_loop && !way->cut;
	way->interrupted = rule_walk_met & RULE_WALK_SIGNAL;
	for (uint32_t i = 0; i < depth; i++) {
		const struct memo_frame *frame = memo->end - 1 - i;
		frames[i] = rule_return_address(frame->at.pc);
		way->guessed = way->guessed || (frame->guessed && (i + 1 < depth || way->cut));
	}
	way->unknown = depth > 0 && !way->cut && first_frame(memo)->guessed == 2;
	if (rule_walk_met)
		end_odd_walk(memo);
	return depth;
}
