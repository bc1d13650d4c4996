// SPDX-License-Identifier: BSD-2-Clause
// rule: how to get from one frame to its caller's, at one address, packed in a word.
//
// Who may call: a thread that holds the guard. Takes no lock of ours, and allocates and waits
// only where it asks the C++ runtime about code made at run time, which may, and takes the lock
// that a throw takes. The cache's entries are pairs that check each other, so that one torn
// between two writers is no entry. Answers that there is no rule are kept, too.
//
// With cfa the canonical frame address, a rule is one of
//
//	RULE_SP      cfa = sp + a
//	RULE_FP      cfa = fp + a
//	RULE_AT_FP   cfa = *(fp + a)
//	RULE_SIGNAL  a handler's caller: the kernel saved the registers at sp
//	RULE_GUESS   code without information, made at run time perhaps: cfa = fp + 16, if so
//	RULE_END     the outermost frame, or that of an interpreter's loop (RULE_LOOP)
//	RULE_NONE    none of these: here the stack ends
//
// and in the first three pc' = *(cfa - 8), sp' = cfa, and fp' = fp or, where it is saved,
// *(cfa + b), in the third *(fp + b).

#ifndef PMEM_RULE_H
#define PMEM_RULE_H

#include <stdbool.h>
#include <stdint.h>

struct object;

enum rule_kind {
	RULE_UNKNOWN, // no word of a rule: not in the cache
	RULE_END,
	RULE_SP,
	RULE_FP,
	RULE_AT_FP,
	RULE_SIGNAL,
	RULE_GUESS,
	RULE_NONE,
};

// Set in the pc of a frame that did not call but was interrupted, by a signal: the rule is
// that of the pc itself. Otherwise the pc is behind a call, and the rule that of the call.
#define RULE_INTERRUPTED (UINT64_C(1) << 63)

// The return address at which the calling thread's walk began; 0: the runtime is not to be
// asked in it.
extern __thread uintptr_t rule_walk_began;

// What the walk met, which is mostly nothing.
enum rule_walk {
	RULE_WALK_FLEETING = 1, // what may be otherwise the next time, without a word: it is not to be
	                        // remembered
	RULE_WALK_SIGNAL = 2,   // a handler's frame: what is outwards of it was interrupted anywhere
};
extern __thread unsigned rule_walk_met;

// Set in a rule where addresses of that object have a salt (module.h).
#define RULE_SALTED (UINT64_C(1) << 4)

// Set in a rule of RULE_SP by which an aligned sp leads to an aligned cfa outwards of it, and what
// is read lies between the two: of a step by it only whether cfa is still on the stack is not
// known beforehand. Its pc is a return address.
#define RULE_EASY (UINT64_C(1) << 5)

// Set in a rule that code without information is known to have by its bytes: there backtrace()
// ends.
#define RULE_BY_BYTES (UINT64_C(1) << 6)

// Set in a rule of RULE_END where the stack goes on in the program's own language: it is the loop of
// an interpreter whose frames can be read.
#define RULE_LOOP (UINT64_C(1) << 7)

// kind: bits 0-2, whether fp is saved: bit 3, salted: bit 4, easy: bit 5, by bytes: bit 6, loop: bit
// 7, b: bits 8-31, a: bits 32-63.
// In RULE_SP and RULE_FP b is a multiple of 8, and -8 where fp is not saved: a step can read
// there in any case, between sp and cfa, and need not ask which of the two it is.
static inline enum rule_kind
rule_kind(uint64_t rule)
{
	return (enum rule_kind)(rule & 7);
}

// RULE_SP or RULE_FP.
static inline bool
rule_is_plain(uint64_t rule)
{
	return (rule & 6) == RULE_SP;
}

static inline bool
rule_saves_fp(uint64_t rule)
{
	return rule >> 3 & 1;
}

static inline bool
rule_is_salted(uint64_t rule)
{
	return rule & RULE_SALTED;
}

static inline bool
rule_is_easy(uint64_t rule)
{
	return rule & RULE_EASY;
}

static inline bool
rule_is_by_bytes(uint64_t rule)
{
	return rule & RULE_BY_BYTES;
}

static inline bool
rule_is_loop(uint64_t rule)
{
	return rule & RULE_LOOP;
}

static inline intptr_t
rule_cfa_offset(uint64_t rule)
{
	return (int32_t)(rule >> 32);
}

static inline intptr_t
rule_fp_offset(uint64_t rule)
{
	return (int32_t)(uint32_t)rule >> 8;
}

// Whether the caller's frame depends on this frame's fp, beside what becomes of fp itself.
static inline bool
rule_uses_fp(uint64_t rule)
{
	enum rule_kind kind = rule_kind(rule);
	return kind == RULE_FP || kind == RULE_AT_FP || kind == RULE_GUESS;
}

// Sets of four, a cache line each: a page of them at first, and twice as many whenever one has no
// room, up to 512 KiB. So a short program touches few pages. Each address has one of its set's
// four places for its own, and mostly stands there.
enum {
	RULE_FIRST_SETS = 1 << 6,
	RULE_SETS = 1 << 13,
	RULE_WAYS = 4,
	RULE_PLACE_BITS = 15,
};

struct rule_entry {
	uint64_t key; // the address ^ the rule: an entry torn between two fails
	uint64_t rule;
};

enum { RULE_ENTRIES = RULE_SETS * RULE_WAYS };

extern struct rule_entry rule_cache[RULE_ENTRIES];

// Entries in use, less one. Only grows. Atomic.
extern size_t rule_mask;

// Whether an address, which the calling thread's stack has, is in such a loop, or without an object
// in what such an interpreter has compiled. NULL: there is none.
// `interrupted`: a signal came there, or inwards of it. Set once, with release.
extern bool (*rule_asks_loop)(const struct object *object, uintptr_t address, bool interrupted);

// Makes the rule from the call frame information, and keeps it.
uint64_t rule_learn(uintptr_t pc);

// Forgets all: some object is gone.
void rule_forget(void);

// In its upper bits the set, in the lower ones the place in it that is the address's own.
static inline size_t
rule_place(uintptr_t pc)
{
	return (pc * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - RULE_PLACE_BITS);
}

static inline struct rule_entry *
rule_set(uintptr_t pc)
{
	size_t mask = __atomic_load_n(&rule_mask, __ATOMIC_RELAXED);
	return &rule_cache[rule_place(pc) & mask & -(size_t)RULE_WAYS];
}

// The rule of an entry, if it is for this pc; else RULE_UNKNOWN.
static inline uint64_t
rule_of(const struct rule_entry *entry, uintptr_t pc)
{
	uint64_t rule = __atomic_load_n(&entry->rule, __ATOMIC_RELAXED);
	uint64_t key = __atomic_load_n(&entry->key, __ATOMIC_RELAXED);
	return (key ^ rule) == pc ? rule : RULE_UNKNOWN;
}

// Where the rule for a frame with this pc mostly is.
static inline const struct rule_entry *
rule_own_entry(uintptr_t pc)
{
	return &rule_cache[rule_place(pc) & __atomic_load_n(&rule_mask, __ATOMIC_RELAXED)];
}

// The same of any place of its set.
static inline uint64_t
rule_in_set(uintptr_t pc)
{
	const struct rule_entry *set = rule_set(pc);
	for (int way = 0; way < RULE_WAYS; way++) {
		uint64_t rule = rule_of(&set[way], pc);
		if (rule != RULE_UNKNOWN)
			return rule;
	}
	return RULE_UNKNOWN;
}

// The rule for a frame with this pc.
static inline uint64_t
rule_for(uintptr_t pc)
{
	uint64_t rule = rule_in_set(pc);
	return __builtin_expect(rule != RULE_UNKNOWN, 1) ? rule : rule_learn(pc);
}

#endif
