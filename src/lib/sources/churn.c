// SPDX-License-Identifier: BSD-2-Clause

#include "base/sys.h"
#include "sources/churn.h"

bool churn_asked;

#define HOUR_NS INT64_C(3600000000000)
#define CHILD_NS (PMEM_CHILD_MS * INT64_C(1000000))
#define LOOK_NS (PMEM_LOOK_MS * INT64_C(1000000))
// How long a byte of log has to last.
#define BYTE_NS (PMEM_LOG_HOURS > 0 ? HOUR_NS / (int64_t)CHURN_HOUR_BYTES : INT64_C(0))
// And all of the beginning.
#define BEGIN_NS ((int64_t)CHURN_BEGIN_BYTES * BYTE_NS)

enum {
	// A look is due at most once in so many bytes: the clock is read for it.
	LOOK_BYTES = 256,
	// What a thread keeps to itself is at most such a part of what all have published.
	STEP_PART = 16,
	// Of the time at most such a part goes into snapshots, once the beginning is spent.
	TIME_PART = 100,
	CHILDS_PART = 4,
	// Where more is spent than such a part of what the process has had, a snapshot waits for so many
	// times what one took lately; where more than that of the whole beginning is, for such a part of
	// the process's age.
	TIMES_TAKEN = 20,
	FAST_PART = 16,
	AGE_PART = 32,
	// A snapshot's entries take at most such a part of what the process has had to spend so far, the
	// last one's such a part; or half of what is there at once where that is more. Where all is spent
	// one that is written all the same takes such a part of that.
	SNAPSHOT_PART = 32,
	LAST_PART = 4,
	EXTRA_PART = 4,
	// Live stands out by such a part above what was told; where it falls again, by less. It is
	// said to fall once it is so far below its peak.
	RISEN_PART = 4,
	SPIKE_PART = 10,
	FALLEN_PART = 16,
};

static SYS_FORK_PAGE struct {
	uint64_t published; // bytes since the last snapshot; atomic
	bool was_reset;     // that is not since the process began; atomic
	// When nothing would be spent, on the coarse monotonic clock (ns). A snapshot may be written
	// while enough of the beginning is left for one like the last (the generic cell rate
	// algorithm, ITU-T I.371): beginning and rate in one word. Atomic.
	int64_t full_at;
	int64_t cost; // of the last snapshot: how much later that became (ns); atomic
	bool is_child; // it has a part of the beginning; atomic
	int64_t started; // the same clock; the next is, too; atomic
	int64_t spent;   // when the last snapshot was written; atomic
	int64_t took;    // how long the middle one of the last three took (ns); atomic
	int64_t took_last[2]; // the last two; the writer's
	// When the next look is due, on the same clock. Atomic.
	int64_t look_at;
	int64_t young_until; // the same clock; 0: not a child, or no longer young; atomic
	// Bytes, all atomic: what is live, by what was published; the most that was, and when (ns since
	// 1970); that peak when a snapshot was written last; and what any snapshot has told of, or of a
	// moment right before it.
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

// How many bytes of its beginning the process has had to spend so far, as that grows with its age: a
// short one leaves little.
static uint64_t
begin_so_far(int64_t now)
{
	uint64_t begin = churn_begin_bytes();
	uint64_t first = churn_first_bytes();
	int64_t age_ms = (now - __atomic_load_n(&state.started, __ATOMIC_RELAXED)) / 1000000;

	// Before the start: the clock is another's.
	if (age_ms < 0 || age_ms >= CHURN_GROWN_MS)
		return begin;
	return first + (begin - first) / CHURN_GROWN_MS * (uint64_t)age_ms
		+ (begin - first) % CHURN_GROWN_MS * (uint64_t)age_ms / CHURN_GROWN_MS;
}

// Whether the last snapshot is so long ago, as the process is old, that the beginning lasts.
static bool
is_apart(int64_t now)
{
	int64_t age = now - __atomic_load_n(&state.started, __ATOMIC_RELAXED);
	int64_t since = now - __atomic_load_n(&state.spent, __ATOMIC_RELAXED);
	return since >= age / AGE_PART;
}

// Whether the program has had its time since the last snapshot.
static bool
is_rested(int64_t now)
{
	int64_t since = now - __atomic_load_n(&state.spent, __ATOMIC_RELAXED);
	return since / TIMES_TAKEN >= __atomic_load_n(&state.took, __ATOMIC_RELAXED);
}

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
	// Further than it ever is: the clock is another's, of a time namespace.
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

// One that waited for the disk or a processor says little of the next: the median of the last three
// (Tukey, "Exploratory Data Analysis" (1977)).
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
	uint64_t begin = churn_begin_bytes(); // may be 0, where there is no rate
	int64_t most = (int64_t)begin * BYTE_NS;
	int64_t cost = most;

	if (bytes < begin && time < most / TIME_PART)
		cost = (int64_t)bytes * BYTE_NS;
	if (cost < most && cost < time * TIME_PART)
		cost = time * TIME_PART;
	// One may be larger than the last; and those that are asked for are written when nothing is
	// left, too.
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

// A process begins, which has spent nothing.
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

// For one thread of those that find it so.
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

// Where it is the most so far, that is remembered.
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
	// By handlers that left a hook in the middle, say, it may have been off.
	__atomic_store_n(&state.live, (int64_t)live, __ATOMIC_RELAXED);
	note_peak((int64_t)live);
}

void
churn_told(uint64_t live)
{
	int64_t peak = __atomic_load_n(&state.peak, __ATOMIC_RELAXED);
	int64_t then = __atomic_exchange_n(&state.peak_then, peak, __ATOMIC_RELAXED);
	int64_t most = (int64_t)live;
	// A peak that has just gone by was what this one was written for.
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
	// Its own peak is no less than what it has from its parent.
	int64_t live = __atomic_load_n(&state.live, __ATOMIC_RELAXED);
	__atomic_store_n(&state.told, live, __ATOMIC_RELAXED);
	__atomic_store_n(&state.peak, 0, __ATOMIC_RELAXED);
	note_peak(live);
	__atomic_store_n(&state.peak_then, live, __ATOMIC_RELAXED);
}

// Whether `bytes` are so much more than was told, by a part and by a threshold.
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
	// Whether the sum has come to another multiple.
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
	// Whoever left these lines by siglongjmp() may have set one of the two.
	return churn_publish(bytes > 0 ? (uint64_t)bytes : 0, live);
}
