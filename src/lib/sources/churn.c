// SPDX-License-Identifier: BSD-2-Clause

#include "base/sys.h"
#include "sources/churn.h"

bool churn_asked;

#define HOUR_NS INT64_C(3600000000000)
#define CHILD_NS (PMEM_CHILD_MS * INT64_C(1000000))
#define LOOK_NS (PMEM_LOOK_MS * INT64_C(1000000))
// Time per byte of log, in ns, at the rate of CHURN_HOUR_BYTES. At this rate the log reaches back
// PMEM_LOG_HOURS. 0 if there is no rate.
#define BYTE_NS (PMEM_LOG_HOURS > 0 ? HOUR_NS / (int64_t)CHURN_HOUR_BYTES : INT64_C(0))
// Time in which CHURN_BEGIN_BYTES would be written at that rate, in ns.
#define BEGIN_NS ((int64_t)CHURN_BEGIN_BYTES * BYTE_NS)

enum {
	// CHURN_DUE_LOOK is checked once in this many bytes of churn, since the check reads the clock.
	LOOK_BYTES = 256,
	// A thread publishes its bytes when they exceed 1 / STEP_PART of what all threads have
	// published.
	STEP_PART = 16,
	// When the allowance (churn.h) is spent, at most 1 / TIME_PART of the time goes into writing
	// snapshots.
	TIME_PART = 100,
	// A fork's child may spend 1 / CHILDS_PART of the bytes of log that another process may spend.
	CHILDS_PART = 4,
	// When many bytes of log are spent, the next snapshot must wait. One limit is 1 / FAST_PART of
	// the bytes that the process may spend by now. Beyond this limit, the wait is TIMES_TAKEN times
	// as long as a snapshot took lately. The other limit is 1 / FAST_PART of the whole allowance
	// (churn.h). Beyond that limit, the wait is also at least 1 / AGE_PART of the process's age.
	TIMES_TAKEN = 20,
	FAST_PART = 16,
	AGE_PART = 32,
	// The entries of a snapshot may take 1 / SNAPSHOT_PART of the bytes that the process may spend
	// by now. The entries of the snapshot at the process's end may take 1 / LAST_PART. Each limit
	// is at least half of churn_first_bytes(). A snapshot that is written although all bytes are
	// spent gets 1 / EXTRA_PART of its limit.
	SNAPSHOT_PART = 32,
	LAST_PART = 4,
	EXTRA_PART = 4,
	// CHURN_DUE_PEAK is due if the live bytes exceed state.told by 1 / RISEN_PART. After a fall of
	// more than 1 / FALLEN_PART from the peak, the peak is compared instead of the live bytes. The
	// peak must exceed state.told by only 1 / SPIKE_PART.
	RISEN_PART = 4,
	SPIKE_PART = 10,
	FALLEN_PART = 16,
};

static SYS_FORK_PAGE struct {
	uint64_t published; // bytes of churn published since the last snapshot; atomic
	bool was_reset; // true once churn_reset() was called since the process began; atomic
	// When all spent bytes of log will be regained (ns on the coarse monotonic clock). Each
	// snapshot moves this time later. A snapshot may be written if enough bytes of the allowance
	// (churn.h) are left for a snapshot like the last. This is the generic cell rate algorithm
	// (ITU-T I.371): one number limits the first burst and the rate. Atomic.
	int64_t full_at;
	int64_t cost; // how much later the last snapshot made full_at (ns); atomic
	bool is_child; // if true, the allowance is CHURN_BEGIN_BYTES / CHILDS_PART; atomic
	int64_t started; // when the process began, on the clock of full_at; atomic
	int64_t spent;   // when the last snapshot was written, on the clock of full_at; atomic
	int64_t took;    // median of the times that the last three snapshots took (ns); atomic
	// times that the last two snapshots took (ns); only the thread that writes snapshots uses them
	int64_t took_last[2];
	// When CHURN_DUE_LOOK is due next, on the clock of full_at. Atomic.
	int64_t look_at;
	// When churn_is_young() becomes false, on the clock of full_at; 0 if it is false now; atomic.
	int64_t young_until;
	// Bytes, all atomic. live: the live bytes that were published. peak: the largest `live` so far.
	// peak_time: when `live` was that large (ns since 1970). peak_then: the peak at the last
	// snapshot. told: the largest number of live bytes that a snapshot has shown, at the snapshot's
	// moment or right before.
	int64_t live;
	int64_t peak;
	int64_t peak_time;
	int64_t peak_then;
	int64_t told;
} state = {.look_at = INT64_MAX};

uint64_t
churn_begin_bytes(void)
{
	bool is_child = __atomic_load_n(&state.is_child, __ATOMIC_RELAXED);
	return CHURN_BEGIN_BYTES / (is_child ? CHILDS_PART : 1);
}

uint64_t
churn_first_bytes(void)
{
	bool is_child = __atomic_load_n(&state.is_child, __ATOMIC_RELAXED);
	uint64_t begin = churn_begin_bytes();
	uint64_t first = PMEM_LOG_FIRST_BYTES / (is_child ? CHILDS_PART : 1);
	return first < begin ? first : begin;
}

bool
churn_is_young(void)
{
	int64_t until = __atomic_load_n(&state.young_until, __ATOMIC_RELAXED);
	if (__builtin_expect(until == 0, 1))
		return false;
	int64_t left = until - sys_clock(CLOCK_MONOTONIC_COARSE);
	if (left > 0 && left <= CHILD_NS)
		return true;
	__atomic_store_n(&state.young_until, 0, __ATOMIC_RELAXED);
	return false;
}

// Returns how many bytes of the allowance (churn.h) the process may have spent by now. The number
// grows with the process's age, so a short process leaves a small log.
static uint64_t
begin_so_far(int64_t now)
{
	uint64_t begin = churn_begin_bytes();
	uint64_t first = churn_first_bytes();
	int64_t age_ms = (now - __atomic_load_n(&state.started, __ATOMIC_RELAXED)) / 1000000;

	// The age is negative only if the process has entered a time namespace, which has another
	// clock. The age is then unknown, and counts as large.
	if (age_ms < 0 || age_ms >= CHURN_GROWN_MS)
		return begin;
	return first + (begin - first) / CHURN_GROWN_MS * (uint64_t)age_ms
		+ (begin - first) % CHURN_GROWN_MS * (uint64_t)age_ms / CHURN_GROWN_MS;
}

// Returns true if at least 1 / AGE_PART of the process's age has passed since the last snapshot.
static bool
is_apart(int64_t now)
{
	int64_t age = now - __atomic_load_n(&state.started, __ATOMIC_RELAXED);
	int64_t since = now - __atomic_load_n(&state.spent, __ATOMIC_RELAXED);
	return since >= age / AGE_PART;
}

// Returns true if the time since the last snapshot is at least TIMES_TAKEN times as long as a
// snapshot usually takes.
static bool
is_rested(int64_t now)
{
	int64_t since = now - __atomic_load_n(&state.spent, __ATOMIC_RELAXED);
	return since / TIMES_TAKEN >= __atomic_load_n(&state.took, __ATOMIC_RELAXED);
}

// Returns how long it takes to regain all bytes of log that are spent, in ns.
static int64_t
spent_by(int64_t now)
{
	int64_t full_at = __atomic_load_n(&state.full_at, __ATOMIC_RELAXED);
	return full_at > now ? full_at - now : 0;
}

static bool
rate_has_room(void)
{
	if (churn_is_young())
		return false;
	if (PMEM_LOG_HOURS == 0)
		return true;
	int64_t cost = __atomic_load_n(&state.cost, __ATOMIC_RELAXED);
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	int64_t spent = spent_by(now);
	// churn_spend() never sets full_at more than 2 * BEGIN_NS ahead. If it is further ahead, the
	// process has entered a time namespace, which has another clock. Then nothing counts as spent.
	if (spent > 2 * BEGIN_NS)
		return true;
	int64_t had = (int64_t)begin_so_far(now);
	if (spent + cost > had * BYTE_NS || (spent > had / FAST_PART * BYTE_NS && !is_rested(now)))
		return false;
	return spent <= (int64_t)churn_begin_bytes() / FAST_PART * BYTE_NS || is_apart(now);
}

size_t
churn_room(bool is_last)
{
	if (PMEM_LOG_HOURS == 0)
		return SIZE_MAX;
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	uint64_t had = begin_so_far(now);
	uint64_t room = had / (is_last ? LAST_PART : SNAPSHOT_PART);
	uint64_t least = churn_first_bytes() / 2;
	room = room > least ? room : least;
	bool is_extra = !is_last && spent_by(now) > (int64_t)had * BYTE_NS;
	return is_extra ? room / EXTRA_PART : room;
}

// Notes how long a snapshot took. Returns the median of the last three such times (Tukey,
// "Exploratory Data Analysis" (1977)). One time alone predicts the next time badly: the snapshot
// may have waited for the disk or a processor.
static int64_t
usual_time(int64_t time)
{
	int64_t *last = state.took_last;
	int64_t less = last[0] < last[1] ? last[0] : last[1];
	int64_t more = last[0] < last[1] ? last[1] : last[0];

	last[0] = last[1];
	last[1] = time;
	return time < less ? less : time > more ? more : time;
}

void
churn_spend(uint64_t bytes, int64_t time)
{
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	int64_t full_at = __atomic_load_n(&state.full_at, __ATOMIC_RELAXED);
	uint64_t begin = churn_begin_bytes(); // may be 0 if PMEM_LOG_HOURS is 0
	int64_t most = (int64_t)begin * BYTE_NS;
	int64_t cost = most;

	if (bytes < begin && time < most / TIME_PART)
		cost = (int64_t)bytes * BYTE_NS;
	if (cost < most && cost < time * TIME_PART)
		cost = time * TIME_PART;
	// A snapshot may be larger than the last one, and a requested snapshot is written even if no
	// bytes are left. But at most 2 * CHURN_BEGIN_BYTES count as spent.
	full_at = (full_at < now ? now : full_at) + cost;
	if (full_at > now + 2 * BEGIN_NS)
		full_at = now + 2 * BEGIN_NS;
	__atomic_store_n(&state.cost, cost, __ATOMIC_RELAXED);
	__atomic_store_n(&state.full_at, full_at, __ATOMIC_RELAXED);
	__atomic_store_n(&state.spent, now, __ATOMIC_RELAXED);
	__atomic_store_n(&state.took, usual_time(time), __ATOMIC_RELAXED);
}

static void
set_look(int64_t now)
{
	if (LOOK_NS > 0)
		__atomic_store_n(&state.look_at, now + LOOK_NS, __ATOMIC_RELAXED);
}

// Called when a process begins, also in a fork's child. No bytes of log are spent then.
static void
begin(int64_t now)
{
	__atomic_store_n(&state.started, now, __ATOMIC_RELAXED);
	__atomic_store_n(&state.full_at, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&state.cost, 0, __ATOMIC_RELAXED);
}

void
churn_start(void)
{
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	begin(now);
	set_look(now);
}

void
churn_reset(void)
{
	__atomic_store_n(&state.published, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&state.was_reset, true, __ATOMIC_RELAXED);
	set_look(sys_clock(CLOCK_MONOTONIC_COARSE));
}

bool
churn_is_less(uint64_t bytes, uint32_t slots)
{
	uint64_t published = __atomic_load_n(&state.published, __ATOMIC_RELAXED);
	return !__atomic_load_n(&state.was_reset, __ATOMIC_RELAXED)
		&& published + (slots + 1) * (uint64_t)CHURN_STEP < bytes;
}

// Returns true if CHURN_DUE_LOOK is due. If several threads ask at once, only one gets true.
static bool
look_is_due(void)
{
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	int64_t at = __atomic_load_n(&state.look_at, __ATOMIC_RELAXED);
	return now >= at && rate_has_room()
		&& __atomic_compare_exchange_n(&state.look_at, &at, now + LOOK_NS, false,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void
churn_get_peak(struct churn_peak *peak)
{
	peak->bytes = (uint64_t)__atomic_load_n(&state.peak, __ATOMIC_RELAXED);
	peak->time = __atomic_load_n(&state.peak_time, __ATOMIC_RELAXED);
}

// Stores `live` as the peak if it exceeds the peak.
static void
note_peak(int64_t live)
{
	int64_t peak = __atomic_load_n(&state.peak, __ATOMIC_RELAXED);

	while (live > peak) {
		if (!__atomic_compare_exchange_n(
			    &state.peak, &peak, live, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			continue;
		__atomic_store_n(&state.peak_time, sys_clock(CLOCK_REALTIME_COARSE), __ATOMIC_RELAXED);
		return;
	}
}

void
churn_set_live(uint64_t live)
{
	// The sum of what threads published may be wrong. For instance, a signal handler may have left
	// a hook by siglongjmp() before the hook published.
	__atomic_store_n(&state.live, (int64_t)live, __ATOMIC_RELAXED);
	note_peak((int64_t)live);
}

void
churn_told(uint64_t live)
{
	int64_t peak = __atomic_load_n(&state.peak, __ATOMIC_RELAXED);
	int64_t then = __atomic_exchange_n(&state.peak_then, peak, __ATOMIC_RELAXED);
	int64_t most = (int64_t)live;
	// If there was a new peak since the last snapshot, this snapshot was written soon after the
	// peak. So the peak counts as shown, less 1 / FALLEN_PART of it.
	if (peak > then && most < peak - peak / FALLEN_PART)
		most = peak - peak / FALLEN_PART;
	if (most > __atomic_load_n(&state.told, __ATOMIC_RELAXED))
		__atomic_store_n(&state.told, most, __ATOMIC_RELAXED);
}

void
churn_fork(void)
{
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	churn_reset();
	__atomic_store_n(&state.was_reset, false, __ATOMIC_RELAXED);
	begin(now);
	__atomic_store_n(&state.young_until, CHILD_NS > 0 ? now + CHILD_NS : 0, __ATOMIC_RELAXED);
	__atomic_store_n(&state.is_child, true, __ATOMIC_RELAXED);
	// The child's own peak begins with the live bytes that it has inherited.
	int64_t live = __atomic_load_n(&state.live, __ATOMIC_RELAXED);
	__atomic_store_n(&state.told, live, __ATOMIC_RELAXED);
	__atomic_store_n(&state.peak, 0, __ATOMIC_RELAXED);
	note_peak(live);
	__atomic_store_n(&state.peak_then, live, __ATOMIC_RELAXED);
}

// Returns true if `bytes` exceed state.told by at least 1 / part of state.told, and by at least
// PMEM_CHURN_THRESH.
static bool
stands_out(int64_t bytes, int64_t part)
{
	int64_t told = __atomic_load_n(&state.told, __ATOMIC_RELAXED);
	return bytes - told >= told / part && (uint64_t)bytes >= (uint64_t)told + (PMEM_CHURN_THRESH);
}

static bool
peak_is_due(int64_t live)
{
	int64_t peak = __atomic_load_n(&state.peak, __ATOMIC_RELAXED);

	if (live < peak - peak / FALLEN_PART)
		return peak > __atomic_load_n(&state.peak_then, __ATOMIC_RELAXED)
			&& stands_out(peak, SPIKE_PART);
	return stands_out(live, RISEN_PART);
}

enum churn_due
churn_publish(uint64_t bytes, int64_t more)
{
	uint64_t churn = __atomic_add_fetch(&state.published, bytes, __ATOMIC_RELAXED);
	int64_t live = __atomic_add_fetch(&state.live, more, __ATOMIC_RELAXED);

	note_peak(live);
	if (PMEM_SNAPSHOT_SIGNAL && __atomic_exchange_n(&churn_asked, false, __ATOMIC_RELAXED))
		return CHURN_DUE_SIGNAL;
	if (churn >= PMEM_CHURN_THRESH && rate_has_room())
		return CHURN_DUE_THRESHOLD;
	if (churn >= PMEM_CHURN_THRESH && peak_is_due(live) && !churn_is_young())
		return CHURN_DUE_PEAK;
	// True if this publication took `churn` past a multiple of LOOK_BYTES.
	if ((churn ^ (churn - bytes)) >= LOOK_BYTES && look_is_due())
		return CHURN_DUE_LOOK;
	return CHURN_NOT_DUE;
}

static int64_t
step_after(uint64_t churn)
{
	int64_t step = (int64_t)(churn / STEP_PART);
	if (step < CHURN_FIRST_STEP)
		return CHURN_FIRST_STEP;
	return step < CHURN_STEP ? step : CHURN_STEP;
}

enum churn_due
churn_publish_slot(struct slot *slot)
{
	int64_t bytes = slot->churn - slot->churn_from;
	uint64_t published = __atomic_load_n(&state.published, __ATOMIC_RELAXED);

	int64_t live = slot->live;

	slot->churn_from = CHURN_FIRST_STEP - step_after(published);
	slot->churn = slot->churn_from;
	slot->live = 0;
	// A signal handler may have left an earlier call by siglongjmp() when only one of churn and
	// churn_from was set. Then `bytes` may be negative.
	return churn_publish(bytes > 0 ? (uint64_t)bytes : 0, live);
}
