// SPDX-License-Identifier: BSD-2-Clause

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "base/sys.h"
#include "base/libc.h"
#include "elf/musl_list.h"
#include "elf/loader.h"

// glibc's pthread_mutex_t of 64-bit machines, as far as we read it. musl's headers do not have it.
struct mutex {
	int lock; // not 0 while the mutex is held
	unsigned count;
	int owner; // id of the thread that holds it
	unsigned users;
	int kind; // MUTEX_RECURSIVE and others
	char rest[20];
};

enum { MUTEX_RECURSIVE = 1 };

#if defined(__GLIBC__) && defined(__LP64__)
_Static_assert(offsetof(struct mutex, count) == offsetof(pthread_mutex_t, __data.__count)
	&& offsetof(struct mutex, owner) == offsetof(pthread_mutex_t, __data.__owner)
	&& offsetof(struct mutex, kind) == offsetof(pthread_mutex_t, __data.__kind)
	&& sizeof(struct mutex) <= sizeof(pthread_mutex_t), "struct mutex is glibc's");
#endif

static SYS_FORK_PAGE struct {
	// The lock that dl_iterate_phdr() takes, somewhere in the loader's data; NULL if not found.
	const struct mutex *lock;
	// number of objects on the loader's list at loader_start(); 0 if not known
	uint64_t first_count;
	pid_t pid;  // id of the process that the fields below describe
	// the lock was held when this process was forked, so the list can never be visited again
	bool stuck;
	bool waited_in_vain; // the last wait for the lock ended without success; atomic
	// this process was forked without our fork handlers: the lock may never be free again
	bool is_silent_fork;
	bool asks; // visits ask the kernel whether an object's program headers are still mapped
	// How many visits of ours, and how many forks, are under way. A visit first raises `visits` and
	// then reads `forks`. A fork first raises `forks` and then reads `visits`. So if a visit and a
	// fork begin at once, at least one notices the other, and waits. Atomic.
	unsigned visits;
	unsigned forks;
	// When the first of the forks under way began, on the coarse monotonic clock (ns); atomic.
	int64_t forks_since;
	bool forked_in_vain; // the last fork gave up waiting for visits; atomic
} state;

enum {
	// A visit waits for a fork as long as the kernel may take to copy the largest process.
	FORK_MS_MAX = 1000,
	// If a fork seems to last longer than this, it has never ended. A signal handler jumped out of
	// it by siglongjmp().
	FORK_MS_LOST = 10000,
};

// How many of state.forks are this thread's own. A fork handler of another library may allocate,
// and so visit the list. That visit must not wait for its own thread's fork.
static __thread unsigned own_forks;

static bool
is_held(const struct mutex *lock)
{
	return __atomic_load_n(&lock->lock, __ATOMIC_RELAXED) != 0;
}

static bool
is_in(const struct dl_phdr_info *loaded, uintptr_t address)
{
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type == PT_LOAD
			&& address - (loaded->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
			return true;
	}
	return false;
}

// Returns the end of the part that is read-only after relocation (PT_GNU_RELRO), or 0 if there is
// none. No lock lies in that part.
static uintptr_t
relro_end(const struct dl_phdr_info *loaded)
{
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type == PT_GNU_RELRO)
			return loaded->dlpi_addr + segment->p_vaddr + segment->p_memsz;
	}
	return 0;
}

static const struct mutex *
lock_between(uintptr_t at, uintptr_t end, pid_t thread)
{
	for (; at + sizeof(struct mutex) <= end; at += 8) {
		const struct mutex *lock = (const void *)at;
		if (lock->owner == thread && is_held(lock) && lock->count == 1
			&& lock->kind == MUTEX_RECURSIVE)
			return lock;
	}
	return NULL;
}

// Called by dl_iterate_phdr() for each object, while this thread holds the loader's lock. Finds
// that lock: a recursive mutex in the loader's data that this thread has locked once.
static int
find_lock(struct dl_phdr_info *loaded, size_t bytes, void *thread)
{
	if (bytes >= sizeof(*loaded))
		state.first_count = loaded->dlpi_adds - loaded->dlpi_subs;
	if (!libc.loader || !is_in(loaded, libc.loader))
		return 0;
	for (int i = 0; i < loaded->dlpi_phnum && !state.lock; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		uintptr_t at = (loaded->dlpi_addr + segment->p_vaddr + 7) & ~(uintptr_t)7;
		uintptr_t end = loaded->dlpi_addr + segment->p_vaddr + segment->p_memsz;
		uintptr_t from = relro_end(loaded);
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_W)
			state.lock = lock_between(from - at < end - at ? from : at, end,
				*(const pid_t *)thread);
	}
	return 1;
}

void
loader_start(void)
{
	pid_t thread = sys_gettid();

	state.pid = sys_getpid();
	if (libc.musl_list) {
		state.first_count = musl_list_count();
		return;
	}
	libc.dl_iterate_phdr(find_lock, &thread);
	// If the mutex that was found is still held after the visit, it is another lock of the
	// loader's.
	if (state.lock && is_held(state.lock))
		state.lock = NULL;
}

uint64_t
loader_first_count(void)
{
	return state.first_count;
}

void
loader_ask(void)
{
	state.asks = true;
}

void
loader_before_fork(void)
{
	static const struct timespec pause = {.tv_nsec = 100000};
	// If a thread was killed during a visit, that visit never ends. Only the first fork waits long
	// for it.
	int patience = __atomic_load_n(&state.forked_in_vain, __ATOMIC_RELAXED) ? 1 : 10000;
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);

	// The time is set before the fork is counted. Otherwise another thread could take an earlier
	// fork's time for this fork's.
	if (__atomic_load_n(&state.forks, __ATOMIC_SEQ_CST) == 0)
		__atomic_store_n(&state.forks_since, now, __ATOMIC_SEQ_CST);
	own_forks++;
	__atomic_fetch_add(&state.forks, 1, __ATOMIC_SEQ_CST);
	while (patience > 0 && __atomic_load_n(&state.visits, __ATOMIC_SEQ_CST) > 0) {
		sys_call2(SYS_nanosleep, (long)&pause, 0);
		patience--;
	}
	__atomic_store_n(&state.forked_in_vain, patience == 0, __ATOMIC_RELAXED);
}

void
loader_after_fork(void)
{
	unsigned forks = __atomic_load_n(&state.forks, __ATOMIC_SEQ_CST);
	// forking_for() may have set the count to 0 meanwhile, if this fork took too long.
	while (forks > 0
		&& !__atomic_compare_exchange_n(&state.forks, &forks, forks - 1, false,
			__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
	if (own_forks > 0)
		own_forks--;
}

void
loader_fork(void)
{
	state.pid = sys_getpid();
	state.visits = 0;
	state.forks = 0;
	own_forks = 0;
	// Newer C libraries have released the lock in the child by now. Older ones never do.
	state.stuck = state.lock && is_held(state.lock);
}

void
loader_silent_fork(void)
{
	state.pid = sys_getpid();
	state.visits = 0;
	state.forks = 0;
	own_forks = 0;
	state.is_silent_fork = true;
}

// Waits until the loader's lock is free or held by this thread, for at most a tenth of a second.
// Returns true if the list may then be visited.
static bool
lock_to_be_had(void)
{
	static const struct timespec pause = {.tv_nsec = 50000};
	pid_t thread = 0;

	if (!state.lock)
		return !state.is_silent_fork;
	for (int i = 0; i < 2000 && is_held(state.lock); i++) {
		// If the process id differs, this is a child of vfork(), or of _Fork(), which runs no fork
		// handlers. The lock's owner may be a thread that only the parent has, and would never
		// release the lock.
		if (sys_getpid() != state.pid)
			return false;
		if (!thread)
			thread = sys_gettid();
		if (__atomic_load_n(&state.lock->owner, __ATOMIC_RELAXED) == thread)
			return true;
		sys_call2(SYS_nanosleep, (long)&pause, 0);
	}
	bool vain = is_held(state.lock);
	__atomic_store_n(&state.waited_in_vain, vain, __ATOMIC_RELAXED);
	return !vain;
}

// Returns for how many milliseconds another thread has been forking, or -1 if no other thread is
// forking.
static int64_t
forking_for(void)
{
	unsigned forks = __atomic_load_n(&state.forks, __ATOMIC_SEQ_CST);

	// If the count is 0, another thread may have given up this thread's forks as lost
	// (FORK_MS_LOST).
	if (forks == 0)
		own_forks = 0;
	if (forks <= own_forks)
		return -1;
	int64_t since = __atomic_load_n(&state.forks_since, __ATOMIC_SEQ_CST);
	int64_t ms = (sys_clock(CLOCK_MONOTONIC_COARSE) - since) / 1000000;
	if (ms < FORK_MS_LOST)
		return ms > 0 ? ms : 0;
	__atomic_store_n(&state.forks, 0, __ATOMIC_SEQ_CST);
	return -1;
}

static bool
begin_visit(void)
{
	static const struct timespec pause = {.tv_nsec = 50000};

	for (;;) {
		__atomic_fetch_add(&state.visits, 1, __ATOMIC_SEQ_CST);
		int64_t ms = forking_for();
		if (ms < 0)
			return true;
		__atomic_fetch_sub(&state.visits, 1, __ATOMIC_SEQ_CST);
		if (ms >= FORK_MS_MAX)
			return false;
		sys_call2(SYS_nanosleep, (long)&pause, 0);
	}
}

static void
end_visit(void)
{
	__atomic_fetch_sub(&state.visits, 1, __ATOMIC_SEQ_CST);
}

bool
loader_begin_call(uint64_t *signals)
{
	*signals = sys_hold_signals();
	if (begin_visit())
		return true;
	sys_let_signals(*signals);
	return false;
}

void
loader_end_call(uint64_t signals)
{
	end_visit();
	sys_let_signals(signals);
}

// Returns true if a wait for the lock failed, and another thread still holds the lock. Then
// loader_visit() does not wait again: each allocation may try to visit the list, and each would
// wait.
static bool
is_still_held(void)
{
	return __atomic_load_n(&state.waited_in_vain, __ATOMIC_RELAXED) && state.lock
		&& is_held(state.lock)
		&& __atomic_load_n(&state.lock->owner, __ATOMIC_RELAXED) != sys_gettid();
}

struct visit {
	int (*step)(struct dl_phdr_info *, size_t, void *);
	void *context;
};

// Calls the visit's `step` (loader_visit()) for an object. If the program has unmapped the object's
// program headers, `step` gets the object without them.
static int
step_on(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	const struct visit *visit = context;
	struct dl_phdr_info seen = {0};

	memcpy(&seen, loaded, bytes < sizeof(seen) ? bytes : sizeof(seen));
	if (!sys_is_there((uintptr_t)seen.dlpi_phdr, seen.dlpi_phnum * sizeof(*seen.dlpi_phdr)))
		seen.dlpi_phnum = 0;
	return visit->step(&seen, bytes, visit->context);
}

SYS_ALIGNS_STACK int
loader_visit(int (*step)(struct dl_phdr_info *, size_t, void *), void *context)
{
	int result = LOADER_BUSY;
	struct visit visit = {step, context};
	bool asks = state.asks;

	if (libc.musl_list)
		return !musl_list_start() ? LOADER_BUSY
			: musl_list_visit(asks ? step_on : step, asks ? (void *)&visit : context);
	if (state.stuck)
		return LOADER_STUCK;
	if (is_still_held())
		return LOADER_BUSY;
	// Signals are blocked: a handler that jumped out of here would leave the loader's lock held,
	// and forks waiting.
	uint64_t mask = sys_hold_signals();
	if (lock_to_be_had() && begin_visit()) {
		result = libc.dl_iterate_phdr(asks ? step_on : step, asks ? (void *)&visit : context);
		end_visit();
	}
	sys_let_signals(mask);
	return result;
}
