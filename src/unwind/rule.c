// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "base/libc.h"
#include "elf/object.h"
#include "base/table.h"
#include "elf/module.h"
#include "unwind/ehframe.h"
#include "unwind/registered.h"
#include "unwind/runtime.h"
#include "unwind/rule.h"

_Static_assert(RULE_ENTRIES == 1 << RULE_PLACE_BITS, "each place of the cache is one");

TABLE_STATIC struct rule_entry rule_cache[RULE_ENTRIES];
size_t rule_mask = RULE_FIRST_SETS * RULE_WAYS - 1;

bool (*rule_asks_loop)(const struct object *object, uintptr_t address, bool interrupted);

// Number of calls of rule_forget(). Atomic.
static uint64_t forgotten;

__thread uintptr_t rule_walk_began;
__thread unsigned rule_walk_met;

// Makes a rule from the result of ehframe_find() or ehframe_read().
static uint64_t
from_program(enum ehframe_result found, const struct cfa_program *program, uintptr_t address)
{
	struct cfa_row row;

	switch (found) {
	case EHFRAME_NONE: return RULE_GUESS;
	case EHFRAME_SIGNAL: return RULE_SIGNAL;
	case EHFRAME_FOUND: return cfa_run(program, address, &row) ? rule_word_by_row(&row) : RULE_NONE;
	default: return RULE_NONE;
	}
}

static uint64_t
make_registered(uintptr_t fde, uintptr_t address)
{
	struct segment in;
	struct cfa_program program;

	if (!registered_bytes(fde, &in))
		return RULE_NONE;
	return from_program(ehframe_read(&in, fde, address, &program), &program, address);
}

static bool
is_loop(const struct object *object, uintptr_t address)
{
	__typeof__(rule_asks_loop) asks = __atomic_load_n(&rule_asks_loop, __ATOMIC_ACQUIRE);
	return asks && asks(object, address, rule_walk_met & RULE_WALK_SIGNAL);
}

// Makes a rule for code outside all objects. The rule is not stored, since this code may change
// without our noticing.
static uint64_t
make_outside(uintptr_t pc, uintptr_t address)
{
	const void *fde = rule_walk_began ? runtime_find(address, &rule_walk_began) : NULL;

	if (!fde)
		return rule_word_outside(pc);
	rule_walk_met |= RULE_WALK_FLEETING;
	return make_registered((uintptr_t)fde, address);
}

static void
put(struct rule_entry *entry, uintptr_t pc, uint64_t rule)
{
	__atomic_store_n(&entry->rule, rule, __ATOMIC_RELAXED);
	__atomic_store_n(&entry->key, pc ^ rule, __ATOMIC_RELAXED);
}

static void
empty(size_t entries)
{
	for (size_t at = 0; at < entries; at++)
		put(&rule_cache[at], 0, 0);
}

// Doubles the number of sets. Each entry stays, or moves to the same place in the new half. A rule
// that another thread stores meanwhile may be lost, and is made again when it is needed. If another
// thread calls rule_forget() meanwhile, a rule that is to be forgotten may have been copied. Then
// either that thread empties the new half, too, or this thread sees the changed `forgotten`, and
// empties both halves.
static void
widen(void)
{
	uint64_t before = __atomic_load_n(&forgotten, __ATOMIC_SEQ_CST);
	size_t mask = __atomic_load_n(&rule_mask, __ATOMIC_SEQ_CST);
	size_t entries = mask + 1;

	for (size_t at = 0; at < entries; at++) {
		struct rule_entry *entry = &rule_cache[at];
		uint64_t rule = __atomic_load_n(&entry->rule, __ATOMIC_RELAXED);
		uintptr_t pc = __atomic_load_n(&entry->key, __ATOMIC_RELAXED) ^ rule;
		if (rule == 0 || (rule_place(pc) & entries) == 0)
			continue;
		put(entry + entries, pc, rule);
		put(entry, 0, 0);
	}
	__atomic_compare_exchange_n(
		&rule_mask, &mask, mask + entries, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&forgotten, __ATOMIC_SEQ_CST) != before)
		empty(2 * entries);
}

// Returns true if an entry is not empty and is in the own place of its address (rule.h).
static bool
is_at_home(const struct rule_entry *set, size_t way)
{
	uint64_t rule = __atomic_load_n(&set[way].rule, __ATOMIC_RELAXED);
	uintptr_t pc = __atomic_load_n(&set[way].key, __ATOMIC_RELAXED) ^ rule;
	return rule != 0 && rule_place(pc) % RULE_WAYS == way;
}

// Returns the place in the set where the rule for pc is to be stored. This is pc's own place,
// unless that place has the rule of an address with the same own place. The rule of an address with
// another own place is overwritten, and made again when it is needed. If pc's own place cannot be
// used, returns a free place, or RULE_WAYS if the set is full.
static size_t
free_way(const struct rule_entry *set, uintptr_t pc)
{
	size_t own = rule_place(pc) % RULE_WAYS;
	size_t way = 0;

	if (!is_at_home(set, own))
		return own;
	while (way < RULE_WAYS && __atomic_load_n(&set[way].rule, __ATOMIC_RELAXED) != 0)
		way++;
	return way;
}

static void
keep(uintptr_t pc, uint64_t rule)
{
	size_t way = free_way(rule_set(pc), pc);

	while (way == RULE_WAYS && __atomic_load_n(&rule_mask, __ATOMIC_RELAXED) < RULE_ENTRIES - 1) {
		widen();
		way = free_way(rule_set(pc), pc);
	}
	// The set is full, and the cache cannot grow: one of the four entries is replaced. The pc
	// decides which. If the same entry were replaced each time, two addresses that are used by
	// turns would always replace each other.
	if (way == RULE_WAYS)
		way = (pc ^ pc >> 7 ^ pc >> 13) % RULE_WAYS;
	put(&rule_set(pc)[way], pc, rule);
}

SYS_ALIGNS_STACK uint64_t
rule_learn(uintptr_t pc)
{
	struct object object;
	struct cfa_program program;
	// A return address may be after its function's end, since the call may be the last instruction.
	// So the byte before the return address is looked up.
	uintptr_t address = pc & RULE_INTERRUPTED ? pc & ~RULE_INTERRUPTED : pc - 1;

	if (!object_at(address, &object)) {
		if (!is_loop(NULL, address))
			return make_outside(pc, address);
		keep(pc, RULE_END | RULE_LOOP);
		return RULE_END | RULE_LOOP;
	}
	bool is_busy = false;
	uint64_t rule = is_loop(&object, address) ? RULE_END | RULE_LOOP
		: from_program(ehframe_find(&object.unwind, address, &program), &program, address);
	if (rule == RULE_GUESS)
		rule = libc.musl_list ? rule_word_on_musl(pc, &is_busy) : rule_word_in_object(pc);
	// Another thread was searching, so this search found nothing. The rule is not kept.
	if (is_busy) {
		rule_walk_met |= RULE_WALK_FLEETING;
		return rule;
	}
	// module_salt() records the object. So its unloading is noticed, and all rules are then
	// forgotten.
	if (module_salt(rule_return_address(pc)) != 0)
		rule |= RULE_SALTED;
	if (pc & RULE_INTERRUPTED)
		rule &= ~RULE_EASY;
	keep(pc, rule);
	return rule;
}

void
rule_forget(void)
{
	__atomic_add_fetch(&forgotten, 1, __ATOMIC_SEQ_CST);
	empty(__atomic_load_n(&rule_mask, __ATOMIC_SEQ_CST) + 1);
}
