// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "base/table.h"
#include "base/loss.h"
#include "elf/module.h"
#include "threads/thread.h"

__thread struct slot *thread_slot;
TABLE_STATIC struct slot thread_shared;

enum {
	OWN_SLOTS = PMEM_THREADS - 1, // upper bound of a process's own slots, without the shared one
	// If a process has SLOTS_FEW slots or more, its threads may come and go. Then ORPHANS_ASKED
	// slots are checked before a new slot is mapped. If the owner of a checked slot has ended, that
	// slot is adopted instead.
	SLOTS_FEW = 8,
	ORPHANS_ASKED = 8,
};

TABLE_STATIC struct slot *thread_slots[THREAD_SHARED];

// True once a slot was added to thread_slots[]. Until then thread_slots_count() does not read
// thread_slots[], and so does not touch its page. Atomic.
static bool has_slots;

// Slots with numbers below this one are inherited: no thread counts in them. Atomic.
static SYS_FORK_PAGE uint32_t still;

// The first shared slot's counters of the first sources. They are static, so that SOURCE_OTHER
// always has a counter.
static TABLE_STATIC struct counter first_counters[1 << SLOT_CHUNK_BITS];

static TABLE_STATIC struct {
	struct slot slot;
	void *chunks[SLOT_CHUNKS];
} first_shared = {.chunks = {first_counters}};

// The shared slots. A fork's child gets a further shared slot besides the one that it inherited.
// All shared slots are summed up in the same way.
static SYS_FORK_PAGE struct {
	struct slot *slot; // the shared slot in use; NULL if a new one must first be mapped; atomic
	bool first_used;   // the first shared slot has counts: its pages must be read; atomic
	bool first_still;  // the first shared slot's counts are from before this process's fork
} shared = {.slot = &first_shared.slot};

static uint32_t
first_of_ours(void)
{
	return __atomic_load_n(&still, __ATOMIC_ACQUIRE);
}

static struct slot *
slot_at(size_t at)
{
	return at < (size_t)THREAD_SHARED ? __atomic_load_n(&thread_slots[at], __ATOMIC_ACQUIRE) : NULL;
}

uint32_t
thread_slots_count(void)
{
	uint32_t count = 0;
	if (!__atomic_load_n(&has_slots, __ATOMIC_ACQUIRE))
		return 0;
	while (slot_at(count))
		count++;
	return count;
}

const struct slot *
thread_first_shared(void)
{
	return __atomic_load_n(&shared.first_used, __ATOMIC_ACQUIRE) ? &first_shared.slot : NULL;
}

uint32_t
thread_inherited(bool *with_shared)
{
	*with_shared = shared.first_still;
	return first_of_ours();
}

// Adopts a slot that nobody owns, or that an earlier thread of our id owned.
static struct slot *
find_free(pid_t self)
{
	struct slot *slot;
	for (size_t i = first_of_ours(); (slot = slot_at(i)); i++) {
		uint64_t word = slot_word(slot);
		if ((slot_owner(word) == self || slot_owner(word) == 0) && slot_adopt(slot, word, self))
			return slot;
	}
	return NULL;
}

static struct slot *
add_slot(pid_t owner)
{
	struct slot *fresh = NULL;
	size_t end = first_of_ours() + OWN_SLOTS;

	for (size_t i = first_of_ours(); i < end && i < THREAD_SHARED; i++) {
		struct slot *none = NULL;
		if (__atomic_load_n(&thread_slots[i], __ATOMIC_RELAXED))
			continue;
		if (!fresh && !(fresh = slot_map((uint32_t)owner)))
			return NULL;
		fresh->mark = (uint64_t)(i + 1) << SLOT_MARK_BIT;
		__atomic_store_n(&has_slots, true, __ATOMIC_RELEASE);
		if (__atomic_compare_exchange_n(&thread_slots[i], &none, fresh, false,
			    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return fresh;
	}
	if (fresh)
		slot_unmap(fresh);
	return NULL;
}

// Adopts a slot whose thread has ended; checks at most `most` slots. Each check is a system call.
// The checked slots are spread, since long-lived threads' slots are adjacent.
static struct slot *
find_orphan(pid_t self, uint32_t most)
{
	static const uint32_t step = 1000003; // a prime, so that repeated steps reach every slot
	static uint32_t turn;
	uint32_t first = first_of_ours();
	uint32_t count = thread_slots_count() - first;
	uint64_t at = (uint64_t)__atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED) * step;

	for (uint32_t i = 0; i < most && i < count; i++, at += step) {
		struct slot *slot = slot_at(first + at % count);
		uint64_t word = slot_word(slot);
		if (slot_owner(word) != SLOT_NOBODY && !sys_thread_lives(slot_owner(word))
			&& slot_adopt(slot, word, self))
			return slot;
	}
	return NULL;
}

// This process's id; 0 until thread_start(). A child of vfork() shares this variable with its
// parent: in the child getpid() returns another id.
static SYS_FORK_PAGE pid_t process;

// In a fork's child: the slot in which the forking thread counted before the fork, and that slot's
// memo. Needed until the forking thread has moved the memo to another slot. `memo` is NULL if there
// was no memo, or if it was moved. It is also NULL if the fork was made by a signal handler that
// may have interrupted the unwinder.
static SYS_FORK_PAGE struct {
	struct slot *slot;
	struct memo *memo; // atomic
	uint64_t memo_news;
} forked_in;

bool
thread_process_is_another(void)
{
	return process != 0 && process != sys_getpid();
}

// Gives the forking thread the memo that it had before the fork. A thread that adopts the memo's
// old slot gets no memo. This holds whichever of the two threads comes here first, and if both come
// at once.
static void
take_memo(struct slot *slot, bool has_forked)
{
	struct memo *memo = __atomic_load_n(&forked_in.memo, __ATOMIC_ACQUIRE);
	struct memo *held = memo;

	// The memo in the slot is of another thread's stack, so it becomes invalid.
	slot->memo_news = 0;
	if (!memo)
		return;
	if (slot == forked_in.slot || (has_forked && !slot->memo))
		__atomic_compare_exchange_n(&forked_in.slot->memo, &held, NULL, false,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED);
	if (!has_forked)
		return;
	if (!slot->memo) {
		slot->memo = memo;
		// The highest bit of the loader's frees differs. So walk_renew() is called, which forgets nothing.
		slot->memo_news = forked_in.memo_news ^ (MODULE_FREES / 2 + 1);
	}
	__atomic_store_n(&forked_in.memo, NULL, __ATOMIC_RELEASE);
}

struct slot *
thread_claim(void)
{
	// A child of vfork() gets no slot. The child ends soon, and then any thread could adopt its
	// slot. The parent shares the variable thread_slot, and would continue to count there.
	if (thread_process_is_another())
		return &thread_shared;
	pid_t self = sys_gettid();
	// A sandbox may hide the thread id, without which a thread cannot recognize its slot.
	if (self <= 0)
		return &thread_shared;
	// Signals are blocked: a handler that left by siglongjmp() would lose the mapping.
	uint64_t mask = sys_hold_signals();
	struct slot *slot = find_free(self);

	if (!slot && slot_at(first_of_ours() + SLOTS_FEW - 1))
		slot = find_orphan(self, ORPHANS_ASKED);
	if (!slot)
		slot = add_slot(self);
	if (!slot)
		slot = find_orphan(self, THREAD_SHARED);
	if (!slot) {
		loss_count(LOSS_SLOTS_SHARED);
		slot = &thread_shared;
	}
	if (slot != &thread_shared)
		take_memo(slot, self == process);
	thread_slot = slot;
	sys_let_signals(mask);
	return slot;
}

pid_t
thread_kernel_id(void)
{
	const struct slot *slot = thread_slot;
	pid_t self = slot && slot != &thread_shared ? slot_owner(slot_word(slot)) : 0;
	return self > 0 ? self : sys_gettid();
}

// Returns the shared slot. In a fork's child the first thread that needs the shared slot adds it.
// If two threads add one at once, one of the two slots becomes free to adopt.
static struct slot *
shared_slot(void)
{
	struct slot *slot = __atomic_load_n(&shared.slot, __ATOMIC_ACQUIRE);
	if (slot)
		return slot;
	uint64_t mask = sys_hold_signals();
	struct slot *fresh = add_slot(SLOT_NOBODY);
	if (fresh
		&& __atomic_compare_exchange_n(&shared.slot, &slot, fresh, false, __ATOMIC_ACQ_REL,
			__ATOMIC_ACQUIRE))
		slot = fresh;
	else if (fresh)
		slot_leave(fresh);
	sys_let_signals(mask);
	return slot;
}

// Returns the source's counter in the shared slot. If there is no memory for another shared slot,
// uses the first shared slot, where each source has a counter. If the first shared slot is
// inherited, these counts are taken for older than the fork.
static struct counter *
reach_shared(uint32_t source)
{
	struct slot *slot = shared_slot();
	struct counter *counter = slot ? slot_reach_shared(slot, source) : NULL;

	if (slot != &first_shared.slot && counter)
		return counter;
	if (!__atomic_load_n(&shared.first_used, __ATOMIC_RELAXED))
		__atomic_store_n(&shared.first_used, true, __ATOMIC_RELEASE);
	return slot_reach_shared(&first_shared.slot, source);
}

bool
thread_reach(uint32_t source)
{
	return slot_reach_shared(&first_shared.slot, source) != NULL;
}

// The first shared slot has a counter for each source in use (thread_reach()). If reach_shared()
// finds none, the source's number was read from bytes that passed for a tag by chance.
void
thread_count_alloc_apart(struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls)
{
	if (slot != &thread_shared && slot_reach(slot, source)) {
		thread_count_alloc(slot, source, bytes, calls);
		return;
	}
	struct counter *counter = reach_shared(source);
	if (!counter)
		return;
	__atomic_fetch_add(&counter->allocs, calls, __ATOMIC_RELEASE);
	__atomic_fetch_add(&counter->alloc_bytes, bytes, __ATOMIC_RELEASE);
}

void
thread_count_free_apart(struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls)
{
	if (slot != &thread_shared && slot_reach(slot, source)) {
		thread_count_free(slot, source, bytes, calls);
		return;
	}
	struct counter *counter = reach_shared(source);
	if (!counter)
		return;
	__atomic_fetch_add(&counter->free_bytes, bytes, __ATOMIC_RELEASE);
	__atomic_fetch_add(&counter->frees, calls, __ATOMIC_RELEASE);
}

bool
thread_has_counted_since(void)
{
	uint32_t end = first_of_ours();
	bool in_first = !shared.first_still && __atomic_load_n(&shared.first_used, __ATOMIC_RELAXED);
	return slot_at(end) || in_first;
}

void
thread_end_inheritance(void)
{
	uint32_t end = first_of_ours();

	shared.first_still = false;
	for (uint32_t i = 0; i < end; i++) {
		if (slot_owner(slot_word(thread_slots[i])) != SLOT_NOBODY)
			slot_leave(thread_slots[i]);
	}
	slot_end_inheritance();
	__atomic_store_n(&still, 0, __ATOMIC_RELEASE);
}

uint32_t
thread_slots_max(void)
{
	uint32_t count = thread_slots_count();
	return count > OWN_SLOTS ? count : OWN_SLOTS;
}

// One shared slot exists from the start, and another may be added at any moment after a fork.
uint64_t
thread_bytes_max(void)
{
	const struct slot *slot;
	uint64_t shares = 2;

	for (size_t i = 0; (slot = slot_at(i)); i++)
		shares += slot_owner(slot_word(slot)) == SLOT_NOBODY;
	return thread_slots_max() * SLOT_BYTES + slot_room_max() + shares * SLOT_SHARED_BYTES;
}

void
thread_start(void)
{
	process = sys_getpid();
}

void
thread_keep(void)
{
	pid_t self = sys_gettid();

	process = sys_getpid();
	if (self == process) {
		if (thread_slot && thread_slot != &thread_shared)
			slot_adopt(thread_slot, slot_word(thread_slot), self);
		return;
	}
	// The caller is not the process's first thread. The first thread, which was copied by the fork,
	// has not called yet, and may be counting in its slot. Its slot is among the slots whose owners
	// do not live in this process. So the first thread gets all those slots.
	for (size_t i = first_of_ours(); slot_at(i); i++) {
		uint64_t word = slot_word(thread_slots[i]);
		if (slot_owner(word) != 0 && slot_owner(word) != SLOT_NOBODY
			&& !sys_thread_lives(slot_owner(word)))
			slot_adopt(thread_slots[i], word, process);
	}
}

void
thread_fork(bool interrupted)
{
	uint32_t count = thread_slots_count();

	process = sys_getpid();
	if (interrupted && thread_slot && thread_slot != &thread_shared)
		__atomic_store_n(&thread_slot->owner, (uint32_t)SLOT_NOBODY, __ATOMIC_RELAXED);
	forked_in.memo = NULL;
	if (!interrupted && thread_slot && thread_slot != &thread_shared) {
		forked_in.slot = thread_slot;
		forked_in.memo = thread_slot->memo;
		forked_in.memo_news = thread_slot->memo_news;
	}
	thread_slot = NULL;
	slot_fork();
	shared.first_still = shared.first_used;
	if (shared.slot != &first_shared.slot || shared.first_used)
		shared.slot = NULL;
	__atomic_store_n(&still, count, __ATOMIC_RELEASE);
}

bool
thread_is_crowded(void)
{
	return first_of_ours() + 2 > THREAD_SHARED;
}
