// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <sys/types.h>

#include "base/check.h"
#include "base/sys.h"
#include "base/fork_detect.h"
#include "elf/loader.h"
#include "base/loss.h"
#include "base/hash.h"
#include "heap/interposer.h"
#include "elf/module.h"
#include "base/snapshot_lock.h"
#include "threads/thread.h"
#include "sources/source.h"
#include "sources/mapping_table.h"
#include "sources/churn.h"
#include "base/file.h"
#include "names/jit_map.h"
#include "names/jit_name.h"
#include "log/process_title.h"
#include "log/log.h"
#include "log/rss.h"
#include "log/thread_table.h"
#include "log/lines.h"
#include "log/diagnostics.h"
#include "log/selection.h"
#include "log/snapshot.h"

static const char reasons[][8] = {
	[SNAPSHOT_CHURN] = "churn",
	[SNAPSHOT_SIGNAL] = "signal",
	[SNAPSHOT_EXIT] = "exit",
	[SNAPSHOT_PEAK] = "peak",
	[SNAPSHOT_LOOK] = "look",
	[SNAPSHOT_ASKED] = "asked",
	[SNAPSHOT_RESET] = "reset",
	[SNAPSHOT_SANDBOX] = "sandbox",
};

// If resident bytes exceed live bytes by this many, a log is written at exit. If resident memory
// grows by this many bytes, a snapshot with the reason "rss" is written.
#define MUCH_BYTES (UINT64_C(64) << 20)
// Only the thread that holds the snapshot lock uses these fields, except for the atomic ones.
static SYS_FORK_PAGE struct {
	bool started; // true from snapshot_start() until the last snapshot; atomic
	bool waits;   // another malloc() gets calls before ours, and has passed none on to us yet
	bool refused; // nothing is recorded any more; atomic
	struct process process;
	uint64_t snapshots; // number of snapshots written so far
	uint64_t rss;    // resident bytes at the last snapshot
	unsigned now; // this snapshot's index in source_sums(); the other index is the last snapshot's
	bool inherits; // after a fork: source_sums()[!now] still lacks the inherited slots
} state;

// Marks a fork's child's inherited sources: those with counts in the last snapshot's sums.
static void
mark_inherited(void)
{
	for (uint32_t i = 1; i < source_count(); i++)
		source_noted(i)->is_inherited = source_sums(i)[!state.now].allocs > 0;
}

// Sums up the slots inherited from the parent. Nobody has counted in them since the fork.
static void
sum_inherited(void)
{
	static struct counter sums[SLOT_GROUP];

	if (!state.inherits)
		return;
	tally_begin(!state.now);
	for (uint32_t i = 0; i < source_count(); i++) {
		if (i % SLOT_GROUP == 0)
			tally_look_inherited(i, SLOT_GROUP, sums);
		source_sums(i)[!state.now] = sums[i % SLOT_GROUP];
	}
	mark_inherited();
	thread_end_inheritance();
	state.inherits = false;
}

// Returns true if a process that ends has done too little for a log. `churn` is of its whole life.
static bool
is_litter(uint64_t churn)
{
	uint64_t least = PMEM_EXIT_MIN_CHURN;
	return churn < least;
}

static bool
is_asked(enum snapshot_reason reason)
{
	return reason == SNAPSHOT_ASKED || reason == SNAPSHOT_RESET;
}

// Returns true if a process's first snapshot is worth a log. A child that has done nothing before
// its exec() leaves no log. A process that ends with much uncounted memory leaves a log.
static bool
has_a_word(const struct snapshot_plan *snapshot, enum snapshot_reason reason)
{
	if (is_asked(reason))
		return true;
	// A child's sandbox is not worth a log: some servers sandbox the child of each connection.
	if (reason == SNAPSHOT_SANDBOX)
		return snapshot->moved && !snapshot->is_child;
	if (snapshot->moved && (reason != SNAPSHOT_EXIT || !is_litter(snapshot->churn)))
		return true;
	return reason == SNAPSHOT_EXIT && !snapshot->is_child
		&& snapshot->rss.bytes > counter_live(&snapshot->total) + MUCH_BYTES;
}

// Returns true if has_a_word() would surely return false, as for most short commands. Then no
// counters need be summed up.
static bool
is_surely_litter(const struct snapshot_plan *snapshot)
{
	return snapshot->is_last && churn_is_less(PMEM_EXIT_MIN_CHURN, thread_slots_count())
		&& (snapshot->is_child || !rss_may_have_been(MUCH_BYTES));
}

// Returns true if a child is too young for its first snapshot. Needs no sums of counters.
static bool
is_too_young(enum snapshot_reason reason)
{
	return state.snapshots == 0 && reason != SNAPSHOT_SIGNAL && !is_asked(reason)
		&& churn_is_young();
}

static const char *
reason_of(enum snapshot_reason reason, const struct rss *rss)
{
	bool has_grown = rss->bytes > state.rss + MUCH_BYTES && rss->bytes > state.rss + state.rss / 4;

	if (reason != SNAPSHOT_LOOK)
		return reasons[reason];
	return state.snapshots == 0 ? "first" : has_grown ? "rss" : reasons[reason];
}

static void
write_snapshot(enum snapshot_reason reason, const char *label)
{
	bool first = state.snapshots == 0;
	int64_t began = sys_clock(CLOCK_MONOTONIC);
	size_t bytes = 0;
	CHECK(snapshot_lock_is_held(thread_kernel_id()));
	struct snapshot_plan snapshot = {
		.number = state.snapshots,
		.time = sys_clock(CLOCK_REALTIME),
		.label = label,
		.is_last = reason == SNAPSHOT_EXIT,
		.is_child = state.process.forked_from != 0,
	};

	if (log_is_held()) {
		churn_reset();
		return;
	}
	// A child that has counted nothing since the fork must not sum up its parent's counters.
	bool is_idle = state.inherits && !is_asked(reason) && !thread_has_counted_since();
	if (is_too_young(reason) || is_idle || (first && is_surely_litter(&snapshot)))
		return;
	rss_look(&snapshot.rss);
	snapshot.reason = reason_of(reason, &snapshot.rss);
	sum_inherited();
	snapshot.now = state.now;
	selection_look(&snapshot);
	churn_set_live(counter_live(&snapshot.total));
	churn_get_peak(&snapshot.peak);
	if (first && !has_a_word(&snapshot, reason))
		return;
	rss_look_back(&snapshot.rss);
	memory_limit_look(&snapshot.limit, began);
	selection_choose(&snapshot);
	diagnostics_due(&state.process);
	if (log_open(snapshot.bytes, snapshot.bytes_anew, snapshot.is_last))
		bytes = lines_write(&snapshot, &state.process);
	if (bytes > 0) {
		state.snapshots++;
		state.now = !state.now;
		mapping_table_told();
		state.rss = snapshot.rss.bytes;
		// After a reset, the program's own questions (api.c) count from this snapshot on.
		for (uint32_t i = 0; reason == SNAPSHOT_RESET && i <= snapshot.sources; i++)
			tally_set_base(i, &source_sums(i)[snapshot.now]);
		if (!snapshot.is_last)
			selection_reuse_modules(snapshot.now, snapshot.sources);
	} else if (!log_is_held()) {
		loss_count(LOSS_SNAPSHOTS_DROPPED);
	}
	churn_told(counter_live(&snapshot.total));
	churn_reset();
	churn_spend(bytes, sys_clock(CLOCK_MONOTONIC) - began);
}

// Takes the lock, unless another thread is writing a snapshot. If this snapshot may be the last, or
// the program asked for it, it must not be left out. Then waits for the lock, for a second at most.
static bool
take_lock(enum snapshot_reason reason)
{
	return snapshot_lock_take(thread_kernel_id(),
		reason == SNAPSHOT_EXIT || reason == SNAPSHOT_SANDBOX || is_asked(reason));
}

static bool
has_started(void)
{
	return __atomic_load_n(&state.started, __ATOMIC_ACQUIRE);
}

// Returns true if the malloc() before ours (state.waits) has passed a call on to us.
static bool
is_handed_on(void)
{
	for (uint32_t i = 1; i < source_count(); i++) {
		const struct source *source = source_get(i);
		if (source->depth > 0 && interposer_hands_on(source->frames[0].pc))
			return true;
	}
	return false;
}

static bool
is_refused(void)
{
	if (state.waits && is_handed_on())
		state.waits = false;
	return state.waits || __atomic_load_n(&state.refused, __ATOMIC_ACQUIRE);
}

bool
snapshot_is_on(void)
{
	return has_started() && !__atomic_load_n(&state.refused, __ATOMIC_ACQUIRE);
}

static void
take_locked(enum snapshot_reason reason, const char *label)
{
	// Other threads may come here after the process's last snapshot. They write no snapshot.
	if (has_started() && is_refused()) {
		if (reason == SNAPSHOT_EXIT)
			diagnostics_end(&state.process);
		churn_reset();
	} else if (has_started()) {
		module_check_if_due();
		write_snapshot(reason, label);
	}
	if (reason == SNAPSHOT_EXIT)
		__atomic_store_n(&state.started, false, __ATOMIC_RELEASE);
	if (reason == SNAPSHOT_SANDBOX && state.snapshots > 0)
		diagnostics_sandbox(&state.process);
}

static void
know_process(void)
{
	state.process.pid = sys_getpid();
	pid_t parent = (pid_t)sys_call2(SYS_getppid, 0, 0);
	state.process.ppid = parent > 0 ? parent : 0;
	state.process.start = sys_clock(CLOCK_REALTIME);
	// Several runs may have one pid, after an exec or in other namespaces. Their starts differ.
	state.process.run = hash_step(hash_step(HASH_SEED, (uint64_t)state.process.pid),
		(uint64_t)state.process.start);
}

// Makes a forked child a process of its own. A silent child was forked without our fork handlers. A
// silent child closes no descriptors, since it may share them with its parent.
static void
become_child(bool is_silent)
{
	state.process.forked_from = state.process.pid;
	state.process.forked_snapshots = state.snapshots;
	state.process.note = is_silent
		? "the first snapshot counts from the last one of the process it was forked from" : NULL;
	state.process.table_note = NULL;
	diagnostics_fork();
	state.snapshots = 0;
	know_process();
	log_fork(!is_silent);
	file_fork_peek(!is_silent); // called before any file of /proc is read
	jit_map_start(state.process.pid);
	rss_fork();
	memory_limit_fork();
	process_title_fork();
	thread_table_fork();
	mapping_table_fork(!is_silent);
}

// Called in a process that was forked without our fork handlers. Nobody summed up the counters at
// the fork. So the child's first snapshot shows changes since its parent's last snapshot, not since
// the fork. Its totals are exact. The snapshot lock needs no repair: it can be taken from a thread
// that is not in this process.
static void
become_silent_child(void)
{
	sys_fork();
	loader_silent_fork();
	loss_fork();
	thread_keep();
	mark_inherited();
	churn_fork();
	become_child(true);
}

// A child of vfork() shares its parent's memory, and must not write its parent's log.
bool
snapshot_is_own_process(void)
{
	if (fork_detect_claim())
		become_silent_child();
	return state.process.pid == 0 || state.process.pid == sys_getpid();
}

void
snapshot_take(enum snapshot_reason reason)
{
	if (!has_started())
		return;
	// Signals are held back. Otherwise a handler might end the program, or leave with siglongjmp().
	// Then nobody would finish a half-written snapshot, or release the lock.
	uint64_t mask = sys_hold_signals();
	if (snapshot_is_own_process() && take_lock(reason)) {
		take_locked(reason, NULL);
		snapshot_lock_release();
	}
	sys_let_signals(mask);
}

static int64_t
ask_locked(enum snapshot_reason reason, const char *label)
{
	uint64_t before = state.snapshots;

	if (reason == SNAPSHOT_RESET && !tally_reach_base(source_count()))
		return SNAPSHOT_NO_ROOM;
	take_locked(reason, label);
	if (state.snapshots > before)
		return (int64_t)before;
	return has_started() && !is_refused() ? SNAPSHOT_UNWRITTEN : SNAPSHOT_OFF;
}

int64_t
snapshot_ask(enum snapshot_reason reason, const char *label)
{
	int64_t answer = SNAPSHOT_BUSY;

	if (!has_started())
		return SNAPSHOT_OFF;
	uint64_t mask = sys_hold_signals();
	if (!snapshot_is_own_process()) {
		answer = SNAPSHOT_LENT;
	} else if (take_lock(reason)) {
		answer = ask_locked(reason, label);
		snapshot_lock_release();
	}
	sys_let_signals(mask);
	return answer;
}

void
snapshot_start(void)
{
	know_process();
	fork_detect_start();
	log_start();
	rss_start();
	jit_map_start(state.process.pid);
	churn_start();
	__atomic_store_n(&state.started, true, __ATOMIC_RELEASE);
}

void
snapshot_note_before(void)
{
	state.waits = true;
	diagnostics_before(&state.process);
}

void
snapshot_refuse(void)
{
	// Only the first of several threads writes the note.
	if (!__atomic_exchange_n(&state.refused, true, __ATOMIC_ACQ_REL))
		diagnostics_refusal(&state.process);
}

void
snapshot_fork(void)
{
	state.inherits = true;
	// After a hundred nested forks slots get scarce. Inherited slots become free once summed up.
	if (thread_is_crowded())
		sum_inherited();
	become_child(false);
	__atomic_store_n(&state.started, true, __ATOMIC_RELEASE);
	// The thread that may have held the lock at the fork does not exist in the child.
	snapshot_lock_release();
}
