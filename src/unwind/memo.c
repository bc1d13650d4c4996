#include <stddef.h>
#include <string.h>

#include "hash.h"
#include "table.h"
#include "module.h"
#include "memo.h"

struct memo *
memo_new(void)
{
	struct memo *memo = table_map(sizeof(*memo));
	if (memo)
		memo_forget(memo);
	return memo;
}

static inline struct memo_frame *
first_frame(struct memo *memo)
{
	return memo->frames + 1;
}

// A word that never holds what it should: its own address, and not 0.
static inline void
end_comparing(struct memo_word *word)
{
	*word = (struct memo_word){(uintptr_t)&word->at, 0};
}

void
memo_forget(struct memo *memo)
{
	memo->end = first_frame(memo);
	memo->ends = false;
	end_comparing(&memo->words[0]);
	for (struct memo_set *set = memo->sets; set < memo->sets + MEMO_TAIL_SETS; set++)
		memset(set->hints, 0, sizeof(set->hints));
	memo->frames[0] = (struct memo_frame){
		.at = {0, UINTPTR_MAX, 0}, .words_end = memo->words + 1};
}

static inline bool
is_at(const struct memo_frame *frame, const struct unwind *at)
{
	return frame->at.sp == at->sp && frame->at.pc == at->pc
		&& (!frame->needs_fp || frame->at.fp == at->fp);
}

static inline uintptr_t
word_at(uintptr_t at)
{
	uintptr_t word;
	memcpy(&word, (const void *)at, sizeof(word));
	return word;
}

static inline bool
holds(const struct memo_word *word)
{
	return word_at(word->at) == word->value;
}

// Compares the words from this frame outwards. The first that has changed: words[0] when all
// hold.
static inline const struct memo_word *
compare(const struct memo_frame *frame)
{
	const struct memo_word *word = frame->words_end - 1;
	while (holds(word))
		word--;
	return word;
}

// The frame that this word, which belongs to the frame given or one outwards of it, was
// read for.
static inline struct memo_frame *
frame_of_word(struct memo_frame *frame, const struct memo_word *word)
{
	while (frame[-1].words_end > word)
		frame--;
	return frame;
}

// Makes room above by forgetting the outermost frames.
static __attribute__((noinline)) void
forget_outermost(struct memo *memo, size_t forgotten)
{
	struct memo_frame *first = first_frame(memo);
	size_t kept = (size_t)(memo->end - first) - forgotten;
	size_t words = (size_t)(first[forgotten - 1].words_end - (memo->words + 1));
	struct memo_word *words_end = memo->end[-1].words_end;

	memo->end = first;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memo->ends = false;
	memo->frames[0].hash = first[forgotten - 1].hash;
	memmove(first, first + forgotten, kept * sizeof(*first));
	memmove(memo->words + 1, memo->words + 1 + words,
		(size_t)((char *)words_end - (char *)(memo->words + 1 + words)));
	for (size_t i = 0; i < kept; i++)
		first[i].words_end -= words;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memo->end = first + kept;
}

// The rare shapes: the step has just read these words.
static __attribute__((noinline)) struct memo_word *
note_words_other(
	struct memo_word *words, const struct memo_fresh *from, const struct memo_frame *to)
{
	uint64_t rule = from->step.rule;
	uintptr_t sp = from->at.sp;
	uintptr_t fp = from->at.fp;
	uintptr_t cfa = (rule_kind(rule) == RULE_SP ? sp : fp) + (uintptr_t)rule_cfa_offset(rule);
	uintptr_t fp_at = cfa + (uintptr_t)rule_fp_offset(rule);
	uintptr_t read[MEMO_WORDS];
	int count = 0;

	switch (rule_kind(rule)) {
	case RULE_GUESS:
		if (from->step.looked) {
			read[count++] = fp;
			read[count++] = fp + sizeof(fp);
		}
		break;
	case RULE_SIGNAL:
		read[count++] = sp + UNWIND_SIGNAL_PC;
		read[count++] = sp + UNWIND_SIGNAL_SP;
		read[count++] = sp + UNWIND_SIGNAL_FP;
		break;
	case RULE_AT_FP:
		read[count++] = cfa;
		cfa = word_at(cfa);
		fp_at = fp + (uintptr_t)rule_fp_offset(rule);
		// fallthrough
	case RULE_SP:
	case RULE_FP:
		read[count++] = cfa - sizeof(uintptr_t);
		if (to->needs_fp && rule_saves_fp(rule))
			read[count++] = fp_at;
		break;
	default: break;
	}
	while (count-- > 0)
		*words++ = (struct memo_word){read[count], word_at(read[count])};
	return words;
}

// Notes what a step read: what a word's place depends on comes after it, since comparing
// goes from the end. `to` is where it led, NULL if nowhere. Behind the words there are.
static inline struct memo_word *
note_words(struct memo_word *words, const struct memo_fresh *from, const struct memo_frame *to)
{
	uint64_t rule = from->step.rule;

	if (__builtin_expect(to->at.sp == UINTPTR_MAX || !rule_is_plain(rule), 0))
		return note_words_other(words, from, to);
	// Written in any case, and overwritten by the next when it is not needed.
	*words = (struct memo_word){to->at.sp + (uintptr_t)rule_fp_offset(rule), to->at.fp};
	words += to->needs_fp & rule_saves_fp(rule);
	*words++ = (struct memo_word){to->at.sp - sizeof(to->at.pc), to->at.pc};
	return words;
}

// The salt of a page of code: of the last frame's that has one, which is often the next one's, too.
struct page_salt {
	uintptr_t page; // 0: none so far
	uint64_t salt;
};

static inline uintptr_t
salted(struct page_salt *last, uintptr_t pc)
{
	if (last->page != pc >> MODULE_PAGE_BITS)
		*last = (struct page_salt){pc >> MODULE_PAGE_BITS, module_salt(pc)};
	return pc ^ last->salt;
}

// The walk's frames, innermost first, on top of those that the memo keeps, and their hash. A
// handler may interrupt and never come back: `end` is at any moment behind what is sound.
static inline uint64_t
push(struct memo *memo, const struct memo_fresh *fresh_end)
{
	struct memo_frame *frame = memo->end;
	uint64_t hash = frame[-1].hash;
	struct memo_word *words = frame[-1].words_end;
	struct page_salt salt = {0};
	struct memo_word ra = {frame[-1].at.sp - sizeof(ra.value), frame[-1].at.pc};
	bool needs_fp = frame[-1].needs_fp;
	// The return address is not all that a step is known by, or there is none.
	bool needs_more = needs_fp || frame[-1].at.sp == UINTPTR_MAX;

	for (; fresh_end != memo->fresh; frame++) {
		uint64_t rule = (--fresh_end)->step.rule;
		uintptr_t pc = fresh_end->at.pc;
		frame->at.pc = pc;
		frame->at.sp = fresh_end->at.sp;
		if (__builtin_expect(rule_is_easy(rule) && !needs_more, 1)) {
			hash = hash_append(hash, rule_is_salted(rule) ? salted(&salt, pc) : pc);
			*words++ = ra;
			frame->needs_fp = false;
			frame->guessed = 0;
		} else {
			pc &= ~RULE_INTERRUPTED;
			hash = hash_append(hash, rule_is_salted(rule) ? salted(&salt, pc) : pc);
			words = note_words(words, fresh_end, frame - 1);
			needs_fp = (int)rule_uses_fp(rule) | (!rule_saves_fp(rule) & needs_fp);
			needs_more = needs_fp;
			frame->at.fp = fresh_end->at.fp;
			frame->needs_fp = needs_fp;
			frame->guessed = (rule_kind(rule) == RULE_GUESS || rule_is_by_bytes(rule))
				+ unwind_is_unknown(rule, frame->at.fp);
		}
		frame->hash = hash;
		frame->words_end = words;
		ra = (struct memo_word){frame->at.sp - sizeof(ra.value), frame->at.pc};
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memo->end = frame;
	return hash;
}

// The hash of the innermost frames that are wanted, out of that of all.
static inline uint64_t
hash_of_wanted(struct memo *memo, uint64_t hash)
{
	if (__builtin_expect(memo->end - first_frame(memo) < MEMO_WANTED, 1))
		return hash;
	return hash - memo->end[-MEMO_WANTED - 1].hash * hash_power(MEMO_WANTED);
}

// The walk's frames alone.
static __attribute__((noinline)) uint64_t
replace(struct memo *memo, const struct memo_fresh *fresh_end, bool ends)
{
	memo->end = first_frame(memo);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memo->frames[0].hash = 0;
	memo->ends = ends;
	memo->in_loop = rule_is_loop(fresh_end[-1].step.rule);
	return hash_of_wanted(memo, push(memo, fresh_end));
}

// Of a pc and sp: a set of tails in the upper bits, a key within it below.
static inline uint64_t
tail_hash(uintptr_t pc, uintptr_t sp)
{
	return (pc ^ sp << 20) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline struct memo_set *
set_of(struct memo *memo, uint64_t hash)
{
	return &memo->sets[hash >> (64 - MEMO_TAIL_BITS)];
}

static inline uint32_t
tail_key(uint64_t hash)
{
	return (uint32_t)(hash >> 24) | 1;
}

// Keeps the way from the memo's last frame to `join`, outwards of it or itself.
static inline void
keep_tail(struct memo *memo, const struct memo_frame *join, uint64_t hash)
{
	const struct memo_frame *last = memo->end - 1;
	const struct memo_word *words = last->words_end;
	ptrdiff_t count = words - join->words_end;
	uint64_t place = tail_hash(last->at.pc, last->at.sp);
	struct memo_set *set = set_of(memo, place);

	if (count > MEMO_TAIL_WORDS || words[-1].at - last->at.sp > UINT32_MAX)
		return;
	size_t way = set->oldest++ % MEMO_TAIL_WAYS;
	struct memo_hint *hint = &set->hints[way];
	hint->key = 0;
	if (!set->tails[way]) {
		// A handler that interrupts, and may never come back, is given another: one tail of two
		// hints would lead either of them the other's way. At worst one is lost.
		uint32_t given = __atomic_fetch_add(&memo->tails_given, 1, __ATOMIC_RELAXED);
		if (given >= MEMO_TAIL_SETS * MEMO_TAIL_WAYS)
			return;
		set->tails[way] = &memo->tails[given];
	}
	struct memo_tail *tail = set->tails[way];
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	// The first word in any case, as the hint tells it.
	for (ptrdiff_t i = 0; i < count || i == 0; i++)
		tail->words[i] = words[-1 - i];
	end_comparing(&tail->words[count > 0 ? count : 1]);
	tail->at = last->at;
	tail->hash = hash;
	tail->join = join;
	tail->join_at = join->at;
	tail->join_hash = join->hash;
	tail->join_needs_fp = join->needs_fp;
	tail->needs_fp = last->needs_fp;
	hint->offset = (uint32_t)(words[-1].at - last->at.sp);
	hint->value = words[-1].value;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	hint->key = tail_key(place);
}

// The innermost frame from this one on that is not inwards of sp.
static inline struct memo_frame *
reach(struct memo_frame *frame, uintptr_t sp)
{
	while (frame->at.sp < sp)
		frame--;
	return frame;
}

// The same cfa, but as a processor that foresees that the memo's frame is there has it: it need
// not wait for the rule before it reads on, while stacks differ in addresses more than in sizes.
static inline uintptr_t
foreseen(const struct memo_frame *frame, uintptr_t cfa)
{
	return frame->at.sp == cfa ? *(const volatile uintptr_t *)&frame->at.sp : cfa;
}

// What the walk met need not be there the next time: to compare with it would be to read it. And a
// stack that a signal interrupted in an interpreter's loop is none that ends in one: its lines may be
// in the middle of a change.
static bool
is_to_forget(const struct memo *memo)
{
	return rule_walk_met & RULE_WALK_FLEETING
		|| (rule_walk_met & RULE_WALK_SIGNAL && memo_is_in_loop(memo));
}

// Walks from a frame outwards until it meets what the memo has, and makes it the memo's.
static __attribute__((noinline)) uint64_t
walk(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	struct unwind frame = {pc, sp, fp};
	struct memo_frame *last = memo->end - 1; // of those that may turn out to hold
	struct memo_fresh *fresh = memo->fresh;

	unwind_begin(&frame);
	uintptr_t end = unwind_end(sp);
	last = reach(last, sp);
	for (;;) {
		if (is_at(last, &frame)) {
			const struct memo_word *changed = compare(last);
			bool all = changed == memo->words;
			struct memo_frame *held = all ? first_frame(memo) : frame_of_word(last, changed);
			if ((all && memo->ends) || (fresh - memo->fresh) + (last + 1 - held) >= MEMO_WANTED)
				break;
			// Outwards to there all is known but what is in fp, which may be needed now.
			// Where it does not reach as far out as is wanted, nothing is of use.
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
			if (result == UNWIND_LOST && fresh - memo->fresh < MEMO_WANTED)
				return 0;
			if (result == UNWIND_LOST)
				fresh[-1].step.rule = RULE_NONE | (fresh[-1].step.rule & RULE_SALTED);
			return replace(memo, fresh, result == UNWIND_END);
		}
	}
	memo->end = last + 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(last + (fresh - memo->fresh) >= memo->frames + 1 + MEMO_FRAMES, 0)) {
		forget_outermost(memo, (size_t)(fresh - memo->fresh));
		return hash_of_wanted(memo, push(memo, fresh));
	}
	uint64_t hash = hash_of_wanted(memo, push(memo, fresh));
	if (__builtin_expect(!rule_walk_met, 1) || !is_to_forget(memo))
		keep_tail(memo, last, hash ^ memo->salt);
	return hash;
}

static inline bool
is_hinted(const struct memo_hint *hint, uint32_t key, uintptr_t sp)
{
	return hint->key == key && unwind_is_known(sp + hint->offset)
		&& word_at(sp + hint->offset) == hint->value;
}

// Whether the tail, whose hint holds, is the way from here.
static inline bool
leads_out(const struct memo *memo, const struct memo_tail *tail, const struct unwind *from)
{
	const struct memo_frame *join = tail->join;
	const struct memo_word *word = tail->words + 1;

	if (tail->at.sp != from->sp || tail->at.pc != from->pc
		|| (tail->needs_fp && tail->at.fp != from->fp))
		return false;
	if (join >= memo->end || join->hash != tail->join_hash || join->at.sp != tail->join_at.sp
		|| (tail->join_needs_fp && join->at.fp != tail->join_at.fp))
		return false;
	while (holds(word))
		word++;
	// The one that ends it is its own address.
	return word->at == (uintptr_t)&word->at && compare(join) == memo->words;
}

static __attribute__((noinline)) void
end_odd_walk(struct memo *memo)
{
	if (is_to_forget(memo)) {
		memo->end = first_frame(memo);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		memo->ends = false;
	}
	unwind_end_odd();
}

// Apart, so that where a tail leads out nothing is kept for afterwards.
static __attribute__((noinline)) uint64_t
walk_and_salt(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	uint64_t hash = walk(memo, pc, sp, fp);

	if (__builtin_expect(rule_walk_met, 0))
		end_odd_walk(memo);
	return __builtin_expect(hash != 0, 1) ? hash ^ memo->salt : 0;
}

uint64_t
memo_take(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	const struct unwind from = {pc, sp, fp};
	uint64_t place = tail_hash(pc, sp);
	const struct memo_set *set = set_of(memo, place);

	for (size_t way = 0; way < MEMO_TAIL_WAYS; way++) {
		if (is_hinted(&set->hints[way], tail_key(place), sp)
			&& leads_out(memo, set->tails[way], &from))
			return set->tails[way]->hash;
	}
	return walk_and_salt(memo, pc, sp, fp);
}

uint32_t
memo_frames(struct memo *memo, const struct unwind *from, uintptr_t frames[MEMO_WANTED],
	struct unwind_way *way)
{
	bool found = walk(memo, from->pc, from->sp, from->fp) != 0;
	uint32_t count = (uint32_t)(memo->end - first_frame(memo));
	uint32_t depth = !found ? 0 : count < MEMO_WANTED ? count : MEMO_WANTED;

	way->cut = count > MEMO_WANTED || !memo->ends;
	way->in_loop = memo_is_in_loop(memo) && !way->cut;
	way->interrupted = rule_walk_met & RULE_WALK_SIGNAL;
	for (uint32_t i = 0; i < depth; i++) {
		const struct memo_frame *frame = memo->end - 1 - i;
		frames[i] = frame->at.pc & ~RULE_INTERRUPTED;
		way->guessed = way->guessed || (frame->guessed && (i + 1 < depth || way->cut));
	}
	way->unknown = depth > 0 && !way->cut && first_frame(memo)->guessed == 2;
	if (rule_walk_met)
		end_odd_walk(memo);
	return depth;
}
