// SPDX-License-Identifier: BSD-2-Clause
// rule: how to get from a frame at one address to the caller's frame, packed in a word.
//
// Who may call: a thread that holds the guard. Takes no lock of ours. Allocates and waits only
// where it asks the C++ runtime about code made at run time. The runtime may allocate, and takes
// the lock that a throw takes.
//
// A cache entry has a rule and a key. The key is computed from the rule and its address. If two
// threads wrote one of these words each, the entry matches no address. For an address without a
// rule, the cache stores RULE_NONE.
//
// A rule is one of the following. cfa is the canonical frame address; a and b are two offsets in
// the rule.
//
//	RULE_SP      cfa = sp + a
//	RULE_FP      cfa = fp + a
//	RULE_SPECIAL a kind that the processor has beside these two (rule_word.h)
//	RULE_SIGNAL  the frame to which a signal handler returns: the kernel saved the registers at sp
//	RULE_GUESS   code without information. x86-64: cfa = fp + 16, if fp is valid. aarch64: the stack ends
//	RULE_END     the outermost frame, or the frame of an interpreter's loop (RULE_LOOP)
//	RULE_NONE    none of these: the caller is unknown, and the stack ends here
//
// The first two rules give the caller's registers: on x86-64 pc' = *(cfa - 8), sp' = cfa. If the frame
// has not saved fp, fp' = fp. If the frame has saved fp, fp' = *(cfa + b). aarch64 differs in where pc'
// is (rule_word.h).

#ifndef PMEM_RULE_H
#define PMEM_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/processor.h"

struct object;

enum rule_kind {
	RULE_UNKNOWN, // no rule: the result of a look-up for a pc that the cache does not have
	RULE_END,
	RULE_SP,
	RULE_FP,
	RULE_SPECIAL,
	RULE_SIGNAL,
	RULE_GUESS,
	RULE_NONE,
};

// Set in the pc of a frame that a signal interrupted. The rule is then for the instruction at pc.
// Any other pc is a return address, and the rule is for the call before that address.
#define RULE_INTERRUPTED (UINT64_C(1) << 63)

// Returns the address that a stack has for a frame's pc. The byte before that address is code of
// the frame's function. It is the end of a call, or the first byte of the interrupted instruction.
static inline uintptr_t
rule_return_address(uintptr_t pc)
{
	return (pc & ~RULE_INTERRUPTED) + (pc >> 63);
}

// The return address at which the calling thread's walk began. It is 0 if this walk must not ask
// the C++ runtime (runtime.h).
extern __thread uintptr_t rule_walk_began;

// What the calling thread's walk met, as bits. Mostly no bit is set.
enum rule_walk {
	// Memory or code that may change without our noticing. The memo must then forget the walk.
	RULE_WALK_FLEETING = 1,
	RULE_WALK_SIGNAL = 2,   // a signal handler's frame: a signal interrupted the next frame
};
extern __thread unsigned rule_walk_met;

// Set in a rule if module_salt() of the code's address is not 0. The hash of a stack with this
// frame then includes module_salt(), too.
#define RULE_SALTED (UINT64_C(1) << 4)

// Set in a rule of kind RULE_SP by which an aligned sp leads to an aligned cfa outwards of sp. All
// words that the step reads lie between sp and cfa. So the step needs only one check: that cfa is
// still on the stack. Never set if the pc has RULE_INTERRUPTED.
#define RULE_EASY (UINT64_C(1) << 5)

// Set in a rule that was derived from the bytes of code without call frame information. backtrace()
// ends at code without call frame information. Set in a rule of RULE_END if the caller is unknown.
#define RULE_BY_BYTES (UINT64_C(1) << 6)

// Set in a rule of RULE_END if the code is the loop of an interpreter whose frames can be read. The
// stack then continues in the program's own language.
#define RULE_LOOP (UINT64_C(1) << 7)

// Bits of a rule: 0-2 kind, 3 whether fp is saved, 4 to 7 the flags above. The offsets are in the bits
// above them (rule_word.h).
static inline enum rule_kind
rule_kind(uint64_t rule)
{
	return (enum rule_kind)(rule & 7);
}

// Returns true for RULE_SP and RULE_FP.
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

// Returns true if the caller's pc and sp depend on this frame's fp.
static inline bool
rule_uses_fp(uint64_t rule)
{
	enum rule_kind kind = rule_kind(rule);
	return kind == RULE_FP || kind == RULE_SPECIAL || kind == RULE_GUESS;
}

// The cache has sets of four entries. A set is one cache line. The cache begins with a page of
// sets. The cache doubles whenever a set has no room, up to 512 KiB. So a short program touches few
// pages. Each address has an own place: one of the four places in its set. Mostly this place has
// the address's rule.
enum {
	RULE_FIRST_SETS = 1 << 6,
	RULE_SETS = 1 << 13,
	RULE_WAYS = 4,
	RULE_PLACE_BITS = 15,
};

struct rule_entry {
	uint64_t key; // the address ^ the rule
	uint64_t rule;
};

enum { RULE_ENTRIES = RULE_SETS * RULE_WAYS };

extern struct rule_entry rule_cache[RULE_ENTRIES];

// Number of entries of the cache now, minus one. Only grows. Atomic.
extern size_t rule_mask;

// A function that returns true if `address`, a pc on the calling thread's stack, is in an
// interpreter's loop. `object` is the address's object. If it is NULL, the address is in no object.
// The function then returns true for code that an interpreter has compiled. `interrupted` is true
// if a signal came in the address's frame, or in a frame inwards of that frame. The pointer is NULL
// until an interpreter is found. It is set once, with release order.
extern bool (*rule_asks_loop)(const struct object *object, uintptr_t address, bool interrupted);

// Makes the rule for a pc that the cache does not have. Stores the rule unless the code may change
// unnoticed.
uint64_t rule_learn(uintptr_t pc);

// Forgets all rules. Called when an object was unloaded.
void rule_forget(void);

// Returns a number whose lower bits are the address's own place in its set. The bits above them are
// the number of the set.
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

// Returns the entry's rule if it is for this pc; else RULE_UNKNOWN.
static inline uint64_t
rule_of(const struct rule_entry *entry, uintptr_t pc)
{
	uint64_t rule = __atomic_load_n(&entry->rule, __ATOMIC_RELAXED);
	uint64_t key = __atomic_load_n(&entry->key, __ATOMIC_RELAXED);
	return (key ^ rule) == pc ? rule : RULE_UNKNOWN;
}

// Returns the entry at the pc's own place. Mostly this entry has the pc's rule.
static inline const struct rule_entry *
rule_own_entry(uintptr_t pc)
{
	return &rule_cache[rule_place(pc) & __atomic_load_n(&rule_mask, __ATOMIC_RELAXED)];
}

// Returns the pc's rule from any place of its set, or RULE_UNKNOWN.
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

// Returns the rule for a frame with this pc.
static inline uint64_t
rule_for(uintptr_t pc)
{
	uint64_t rule = rule_in_set(pc);
	return __builtin_expect(rule != RULE_UNKNOWN, 1) ? rule : rule_learn(pc);
}

#endif
