#include <stddef.h>
#include <string.h>

#include "sys.h"
#include "loss.h"
#include "thread.h"

__thread struct slot *thread_slot;
struct slot thread_shared;

// Whether anyone ever counted in it: its pages need not be looked at before. Atomic.
static bool shared_used;

enum {
	OWN_SLOTS = PMEM_THREADS - 1, // the shared one is the last
};

// Slots as they came to be mapped, packed from 0; an entry is written once. Atomic.
static struct slot *slots[OWN_SLOTS];

static pid_t
owner_in(uint64_t word)
{
	return (pid_t)(uint32_t)word;
}

// For a slot whose owner's word is this one.
static bool
adopt(struct slot *slot, uint64_t word, pid_t self)
{
	uint64_t mine = ((word >> 32) + 1) << 32 | (uint32_t)self;
	return __atomic_compare_exchange_n(
		&slot->owner, &word, mine, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static uint64_t
owner_word(const struct slot *slot)
{
	return __atomic_load_n(&slot->owner, __ATOMIC_RELAXED);
}

static struct slot *
map_slot(pid_t self)
{
	struct slot *slot = sys_map(sizeof(*slot));
	if (!slot)
		return NULL;
	// A huge page would make all of it resident for the few counters in use.
	sys_call3(SYS_madvise, (long)slot, sizeof(*slot), MADV_NOHUGEPAGE);
	slot->owner = (uint32_t)self;
	return slot;
}

// A slot that nobody owns, or that was owned by an earlier thread of our id.
static struct slot *
find_free(pid_t self)
{
	for (size_t i = 0; i < OWN_SLOTS; i++) {
		struct slot *slot = __atomic_load_n(&slots[i], __ATOMIC_ACQUIRE);
		if (!slot)
			return NULL;
		uint64_t word = owner_word(slot);
		if ((owner_in(word) == self || owner_in(word) == 0) && adopt(slot, word, self))
			return slot;
	}
	return NULL;
}

static struct slot *
add_slot(pid_t self)
{
	struct slot *fresh = NULL;
	for (size_t i = 0; i < OWN_SLOTS; i++) {
		struct slot *none = NULL;
		if (__atomic_load_n(&slots[i], __ATOMIC_RELAXED))
			continue;
		if (!fresh && !(fresh = map_slot(self)))
			return NULL;
		if (__atomic_compare_exchange_n(&slots[i], &none, fresh, false,
			    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return fresh;
	}
	if (fresh)
		sys_call2(SYS_munmap, (long)fresh, sizeof(*fresh));
	return NULL;
}

// All slots are owned: takes over one whose thread is gone. A system call for each asked,
// so the search goes on where the last one ended.
static struct slot *
find_orphan(pid_t self)
{
	static uint32_t next;
	for (size_t i = 0; i < OWN_SLOTS; i++) {
		size_t at = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % OWN_SLOTS;
		struct slot *slot = __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE);
		if (!slot)
			continue;
		uint64_t word = owner_word(slot);
		if (!sys_thread_lives(owner_in(word)) && adopt(slot, word, self))
			return slot;
	}
	return NULL;
}

// In a child of vfork() the thread is its parent's, lent; 0 until thread_start().
static pid_t process;

static bool
is_lent(void)
{
	return process != 0 && process != sys_getpid();
}

struct slot *
thread_claim(void)
{
	// The child's id is gone soon, and would leave the slot to anybody while its parent, whose
	// thread-local memory this is, goes on counting in it. So it counts without a slot.
	if (is_lent())
		return &thread_shared;
	pid_t self = sys_gettid();
	// What is mapped is not to be lost to a handler that leaves by siglongjmp().
	uint64_t mask = sys_hold_signals();
	struct slot *slot = find_free(self);

	if (!slot)
		slot = add_slot(self);
	if (!slot)
		slot = find_orphan(self);
	if (!slot) {
		loss_count(LOSS_SLOTS_SHARED);
		slot = &thread_shared;
	}
	// Its memo is of another thread's stack.
	if (slot != &thread_shared)
		slot->memo_news = 0;
	thread_slot = slot;
	sys_let_signals(mask);
	return slot;
}

void
thread_count_shared_alloc(uint32_t source, uint64_t bytes)
{
	struct counter *counter = &thread_shared.counters[source];
	__atomic_store_n(&shared_used, true, __ATOMIC_RELEASE);
	__atomic_fetch_add(&counter->allocs, 1, __ATOMIC_RELEASE);
	__atomic_fetch_add(&counter->alloc_bytes, bytes, __ATOMIC_RELEASE);
}

void
thread_count_shared_free(uint32_t source, uint64_t bytes)
{
	struct counter *counter = &thread_shared.counters[source];
	__atomic_store_n(&shared_used, true, __ATOMIC_RELEASE);
	__atomic_fetch_add(&counter->free_bytes, bytes, __ATOMIC_RELEASE);
	__atomic_fetch_add(&counter->frees, 1, __ATOMIC_RELEASE);
}

// The counter in the n-th slot of a thread's own; NULL past the last.
static inline const struct counter *
counter_in(size_t n, uint32_t source)
{
	const struct slot *slot = NULL;
	if (n < OWN_SLOTS)
		slot = __atomic_load_n(&slots[n], __ATOMIC_ACQUIRE);
	return slot ? &slot->counters[source] : NULL;
}

static inline bool
shared_is_used(void)
{
	return __atomic_load_n(&shared_used, __ATOMIC_ACQUIRE);
}

// A block's alloc is counted before the program has the block, and so before its free,
// in whatever thread. Read in the order frees, free_bytes, alloc_bytes, allocs, each over
// all slots there are by then, every free that is seen has its alloc seen too; and as
// allocs is written before alloc_bytes and frees after free_bytes, a call under way shows
// as a block whose bytes are not live yet or no more, never as bytes without a block.
void
thread_sum(uint32_t source, struct counter *sum)
{
	const struct counter *shared = &thread_shared.counters[source];
	const struct counter *in;

	*sum = (struct counter){0};
	for (size_t n = 0; (in = counter_in(n, source)); n++)
		sum->frees += __atomic_load_n(&in->frees, __ATOMIC_ACQUIRE);
	sum->frees += shared_is_used() ? __atomic_load_n(&shared->frees, __ATOMIC_ACQUIRE) : 0;
	for (size_t n = 0; (in = counter_in(n, source)); n++)
		sum->free_bytes += __atomic_load_n(&in->free_bytes, __ATOMIC_ACQUIRE);
	sum->free_bytes
		+= shared_is_used() ? __atomic_load_n(&shared->free_bytes, __ATOMIC_ACQUIRE) : 0;
	for (size_t n = 0; (in = counter_in(n, source)); n++)
		sum->alloc_bytes += __atomic_load_n(&in->alloc_bytes, __ATOMIC_ACQUIRE);
	sum->alloc_bytes
		+= shared_is_used() ? __atomic_load_n(&shared->alloc_bytes, __ATOMIC_ACQUIRE) : 0;
	for (size_t n = 0; (in = counter_in(n, source)); n++)
		sum->allocs += __atomic_load_n(&in->allocs, __ATOMIC_ACQUIRE);
	sum->allocs += shared_is_used() ? __atomic_load_n(&shared->allocs, __ATOMIC_ACQUIRE) : 0;
}

static void
add_slot_to(struct counter *sums, const struct slot *slot, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		sums[i].allocs += slot->counters[i].allocs;
		sums[i].alloc_bytes += slot->counters[i].alloc_bytes;
		sums[i].free_bytes += slot->counters[i].free_bytes;
		sums[i].frees += slot->counters[i].frees;
	}
}

void
thread_sum_alone(struct counter *sums, uint32_t count)
{
	memset(sums, 0, count * sizeof(*sums));
	for (size_t n = 0; n < OWN_SLOTS && slots[n]; n++)
		add_slot_to(sums, slots[n], count);
	if (shared_is_used())
		add_slot_to(sums, &thread_shared, count);
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
			__atomic_store_n(&thread_slot->owner, (uint32_t)self, __ATOMIC_RELAXED);
		return;
	}
	// The thread that was copied is the process's first, and another came here before it. One
	// of the slots whose owners are not here is its own, and it may be counting there: all are
	// kept for it.
	for (size_t i = 0; i < OWN_SLOTS && slots[i]; i++) {
		uint64_t word = owner_word(slots[i]);
		if (owner_in(word) != 0 && !sys_thread_lives(owner_in(word)))
			adopt(slots[i], word, process);
	}
}

void
thread_fork(void)
{
	for (size_t i = 0; i < OWN_SLOTS && slots[i]; i++) {
		if (slots[i] != thread_slot)
			__atomic_store_n(&slots[i]->owner, 0, __ATOMIC_RELAXED);
	}
	thread_keep();
}
