// Whatever snapshots take, and however busy the process is, the log has room for the hours that
// it is to reach back; its beginning lasts, and a short process leaves little; of the time a hundredth
// goes into snapshots, at first a twentieth; and while anything moves a look is due in time.

#include "unit.h"
#include "base/sys.h"
#include "sources/churn.h"

#define SECOND INT64_C(1000000000)

enum { DAYS = 3, CROSSINGS = 2 }; // so many a second

static int64_t now;

static int
clock_of_the_test(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){.tv_sec = now / SECOND, .tv_nsec = now % SECOND};
	return 0;
}

// Three days of snapshots of up to so many bytes, each of which takes so long to write: the
// least time in which what is kept is written.
static void
run(uint64_t most, int64_t time)
{
	static uint64_t by_hour[24 * DAYS + 1];
	uint64_t random = 1;
	// What the run before has spent comes back; and the process is a new one, whose snapshots of
	// the beginning are the closer.
	int64_t start = now += 24 * 3600 * SECOND;
	churn_start();
	uint64_t written = 0;
	int64_t spent = 0;
	int64_t before = now;

	for (int hour = 0; hour <= 24 * DAYS; hour++)
		by_hour[hour] = 0;
	for (int64_t i = 0; i < 24 * DAYS * 3600 * CROSSINGS; i++) {
		now += SECOND / CROSSINGS;
		enum churn_due due = churn_publish(PMEM_CHURN_THRESH, 0);
		if (due == CHURN_NOT_DUE)
			continue;
		random = random * 6364136223846793005u + 1;
		uint64_t bytes = most / 2 + (random >> 33) % (most / 2);
		churn_reset();
		churn_spend(bytes, time);
		by_hour[(now - start) / SECOND / 3600] += bytes;
		written += bytes;
		spent += time;
		// What is due is not kept waiting for longer than one of them lasts, at first
		// for a part of the process's age.
		int64_t age = now - start < 12 * 3600 * SECOND ? now - start : 0;
		expect(now - before <= age / 32
				+ 2 * ((int64_t)most * 3600 * SECOND / (int64_t)CHURN_HOUR_BYTES + 100 * time
					+ SECOND));
		before = now;
	}
	for (int hour = 24; hour <= 24 * DAYS; hour++) {
		uint64_t day = 0;
		for (int i = hour - 24; i < hour; i++)
			day += by_hour[i];
		expect(day <= CHURN_KEPT_BYTES + most);
	}
	expect(spent < (now - start) / 100 + 100 * time + SECOND * CHURN_BEGIN_BYTES / most);
	if (time < SECOND / 100)
		expect(written > CHURN_KEPT_BYTES * DAYS / 2);
}

// A process that crosses the threshold each millisecond, and whose snapshots take one, has a few at
// once, and then spends a twentieth of its time on them while it is young.
static void
expect_a_twentieth_at_first(void)
{
	int written = 0;

	now += 24 * 3600 * SECOND;
	churn_start();
	for (int ms = 0; ms < 200; ms++, now += SECOND / 1000) {
		if (churn_publish(PMEM_CHURN_THRESH, 0) == CHURN_NOT_DUE)
			continue;
		churn_reset();
		churn_spend(PMEM_LOG_FIRST_BYTES / 100, SECOND / 1000);
		written++;
	}
	expect(written >= 14 && written <= 18);
}

// A process that is busy all the time, with more sources than any snapshot has room for: within its
// first ten minutes each minute has snapshots, 40 in all, and what it has written at any age is what
// it had to spend. A forked child has a quarter of that.
static void
expect_a_beginning_that_lasts(uint64_t begin, uint64_t first)
{
	int by_minute[10] = {0};
	int all = 0;
	uint64_t written = 0;
	int64_t start = now;

	for (int64_t age = 0; age < 600 * SECOND; age += SECOND / 20, now += SECOND / 20) {
		if (churn_publish(PMEM_CHURN_THRESH, 0) == CHURN_NOT_DUE)
			continue;
		uint64_t bytes = churn_room(false);
		churn_reset();
		churn_spend(bytes, SECOND / 1000);
		written += bytes;
		by_minute[age / SECOND / 60]++;
		all++;
		uint64_t earned = (uint64_t)((now - start) / (SECOND / 1000)) * begin / CHURN_GROWN_MS
			+ (uint64_t)((now - start) / SECOND) * CHURN_HOUR_BYTES / 3600;
		expect(written <= first + earned + bytes);
	}
	for (int minute = 0; minute < 10; minute++)
		expect(by_minute[minute] >= 3);
	expect(all >= 40);
	expect(churn_room(true) >= 4 * churn_room(false));
}

static void
expect_beginnings(void)
{
	now += 24 * 3600 * SECOND;
	churn_start();
	expect_a_beginning_that_lasts(CHURN_BEGIN_BYTES, PMEM_LOG_FIRST_BYTES);
	// The last one of a short process.
	churn_start();
	expect(churn_room(true) == PMEM_LOG_FIRST_BYTES / 2);
	churn_fork();
	now += SECOND * PMEM_CHILD_MS / 1000;
	expect_a_beginning_that_lasts(CHURN_BEGIN_BYTES / 4, PMEM_LOG_FIRST_BYTES / 4);
}

// How many it has in a second of that, when so many of them, from the eighth on, wait for the disk.
static int
count_with_slow(int slow)
{
	int written = 0;

	now += 24 * 3600 * SECOND;
	churn_start();
	for (int64_t end = now + SECOND; now < end; now += SECOND / 1000) {
		if (churn_publish(PMEM_CHURN_THRESH, 0) == CHURN_NOT_DUE)
			continue;
		bool is_slow = written >= 8 && written < 8 + slow;
		churn_reset();
		churn_spend(PMEM_LOG_FIRST_BYTES / 100, is_slow ? SECOND / 20 : SECOND / 1000);
		written++;
	}
	return written;
}

// One that waited long puts off none; where all wait, there are fewer.
static void
expect_a_slow_one_to_be_no_rule(void)
{
	int written = count_with_slow(0);
	expect(count_with_slow(1) >= written - 1);
	expect(count_with_slow(3) < written - 15);
}

#define MIB (INT64_C(1) << 20)

// While the rate has no room: a quarter above what was told is told at once; a tenth above it when
// live has begun to fall from there; and no peak twice.
static void
expect_peaks(void)
{
	struct churn_peak peak;

	churn_set_live(100 * MIB);
	churn_told(100 * MIB);
	churn_reset();
	churn_spend(CHURN_BEGIN_BYTES, 0);
	churn_spend(CHURN_BEGIN_BYTES, 0);
	expect(churn_publish(MIB, MIB) == CHURN_NOT_DUE);
	expect(churn_publish(23 * MIB, 23 * MIB) == CHURN_NOT_DUE);
	now += SECOND;
	expect(churn_publish(MIB, MIB) == CHURN_DUE_PEAK);
	churn_get_peak(&peak);
	expect(peak.bytes == 125 * MIB && peak.time == now);
	// Another thread was writing.
	expect(churn_publish(1, 0) == CHURN_DUE_PEAK);
	churn_told(125 * MIB);
	churn_reset();
	now += SECOND;
	expect(churn_publish(15 * MIB, 15 * MIB) == CHURN_NOT_DUE);
	expect(churn_publish(8 * MIB, -8 * MIB) == CHURN_NOT_DUE);
	expect(churn_publish(2 * MIB, -2 * MIB) == CHURN_DUE_PEAK);
	churn_told(130 * MIB);
	churn_reset();
	expect(churn_publish(100 * MIB, -100 * MIB) == CHURN_NOT_DUE);
	// Hardly more than that once more, and gone at once.
	expect(churn_publish(111 * MIB, 111 * MIB) == CHURN_NOT_DUE);
	expect(churn_publish(111 * MIB, -111 * MIB) == CHURN_NOT_DUE);
	churn_get_peak(&peak);
	expect(peak.bytes == 141 * MIB);
}

int
main(void)
{
	now = 1000 * SECOND;
	sys.clock_gettime = clock_of_the_test;
	for (uint64_t most = 1000; most <= 1000000; most *= 10)
		run(most, SECOND / 1000);
	expect_a_twentieth_at_first();
	expect_a_slow_one_to_be_no_rule();
	run(20000, SECOND);

	// A process that does little, after what it had is spent.
	churn_reset();
	now += 30 * SECOND - 1;
	expect(churn_publish(256, 0) == CHURN_NOT_DUE);
	now += 1 + 24 * 3600 * SECOND;
	expect(churn_publish(100, 0) == CHURN_NOT_DUE);
	expect(churn_publish(256, 0) == CHURN_DUE_LOOK);
	expect(churn_publish(256, 0) == CHURN_NOT_DUE);
	expect_peaks();
	expect_beginnings();
	return 0;
}
