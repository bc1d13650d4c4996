// trend_kinds: the families of histories (trend_families.h) by which judges are tested.

#ifndef PMEM_TEST_TREND_KINDS_H
#define PMEM_TEST_TREND_KINDS_H

#include <string.h>

#include "trend_families.h"

static const struct {
	const char *name;
	series_live live;
	double a, b;
	size_t windows;
	double least;       // percent of the leaks that are found; 0: it is none
	double rate;        // of the leak; 0: it has none
	int snapshots;      // in a window; 0: as many as usual
	int last;           // and in the last; 0: as many
	bool is_sparse;     // from window to window fewer, and one at last
	bool turns_over;    // of what it allocates it keeps hardly anything
} kinds[] = {
	{"noise", noise, 0, 0, 64},
	{"noise, 128 windows", noise, 0, 0, 128},
	{"noise, 8 windows", noise, 0, 0, 8},
	{"wanders within 1/50", wander, 0.02, 0, 64},
	{"wanders within 1/10", wander, 0.1, 0, 64},
	{"100 sessions, each 20 times", sessions, 100, 20, 64},
	{"10 sessions, each 50 times", sessions, 10, 50, 64},
	{"a buffer, 5 times", buffer, 5, 1, 64},
	{"a buffer, 30 times", buffer, 30, 1, 64},
	{"a buffer, throttled at last", throttled, 50, 0, 64},
	{"a step", step, 0, 0, 64},
	{"a step under noise", step, 1e5, 0, 64},
	{"a day's load, 3 times", load, 3, 0, 64},
	{"a week's load", load, 7, 0, 64},
	{"a cache", cache, 0.1, 0, 64},
	{"a slow cache", cache, 0.2, 0, 64},
	{"bursts", burst, 0, 0, 64},
	{"full at last", full, 0.01, 0.85, 128},
	{"full for a quarter", full, 0.1, 0.75, 128},
	{"full for a quarter, 64 windows", full, 0.05, 0.75, 64},
	{"half of the time, under much noise", full, 0.3, 0.5, 128},
	{"fills", fills, 0.01, 0.5, 128},
	{"fills, under noise", fills, 0.05, 0.5, 128},
	{"fills sooner, under much noise", fills, 0.2, 0.3, 128},
	{"fills, 32 windows", fills, 0.05, 0.3, 32},
	{"fills for ever", fills_for_ever, 0.01, 10, 128},
	{"fills for ever, 64 windows", fills_for_ever, 0.05, 100, 64},
	{"a random walk", walk, 0, 0, 128},
	{"a random walk, 32 windows", walk, 0, 0, 32},
	{"2.5 days", days, 0, 2.5, 128},
	{"7 days", days, 0, 7, 128},
	{"a leak of 2 deviations", line, 2, 0, 64, 95.7, 2e3},
	{"a leak of 5 deviations", line, 5, 0, 64, 95, 5e3},
	{"a leak of 5, 16 windows", line, 5, 0, 16, 93.8, 5e3},
	{"a leak of 20, 8 windows", line, 20, 0, 8, 96.3, 2e4},
	{"a late leak of 8", late, 20, 0, 64, 95, 2e4},
	{"a young leak of 8", young, 40, 0, 64, 95, 4e4},
	{"a young leak of 8 after a start", young_after_start, 40, 0, 64, 95, 4e4},
	{"a leak beneath teeth", teeth, 0.3, 0, 128, 97, 3e5},
	{"a buffer, 3 times", buffer, 3, 1, 64},
	{"a leak beneath 3 days", days, 0.1, 3, 128, 96.7, 3e5},
	{"a leak beneath 7 days", days, 0.1, 7, 128, 96.9, 7e5},
	{"a leak beneath 30 days", days, 0.1, 30, 128, 97, 3e6},
	{"a cache, and a leak of 5", cache_that_leaks, 5, 0, 128, 95, 5e5},
	{"a cache, and a leak of 20", cache_that_leaks, 20, 0, 128, 95, 2e6},
	{"a leak of 6 from anywhere", from_anywhere, 6, 0, 64, 95, 6e3},
	{"noise, 16 windows", noise, 0, 0, 16},
	{"a step, and late", late_step, 6, 0, 64},
	{"work that grows at last", work_grows_late, 6, 0, 64},
	{"work that grows at last, 128 windows", work_grows_late, 6, 0, 128},
	{"a random walk, 16 windows", walk, 0, 0, 16},
	{"a load that grows three times", three_steps, 6, 0, 64},
	{"a load that grows three times, 32 windows", three_steps, 6, 0, 32},
	{"a buffer, throttled at any time", throttled_any_time, 50, 0, 64},
	{"a longer buffer, throttled at any time", throttled_any_time, 20, 0, 64},
	{"work that grows slowly at last", work_grows_slowly, 6, 0, 64},
	{"work that grows slowly at last, 128 windows", work_grows_slowly, 6, 0, 128},
	{"a leak of 5, and it wanders", wandering_line, 5, 0, 64, 86, 5e3},
	{"a leak of 6, and it wanders", wandering_line, 6, 0, 64, 91, 6e3},
	{"a leak of 6 in the last quarter", from_last_quarter, 6, 0, 64, 95, 6e3},
	{"a leak of 6 in the last quarter, 128 windows", from_last_quarter, 6, 0, 128, 95, 6e3},
	{"a leak of 6 from the first third on", from_first_third, 6, 0, 64, 95, 6e3},
	{"a leak of 6 from the first third on, 32 windows", from_first_third, 6, 0, 32, 90, 6e3},
	{"a leak of 6 before that, 32 windows", before_last_quarter, 6, 0, 32, 90, 6e3},
	{"a store that is set at random", store, 3, 1000, 64},
	{"a store that is set at random, for long", store, 8, 1000, 64},
	{"a small store that is set at random", store, 5, 100, 64},
	{"a store that has four of five keys", store, 1.6, 1000, 64},
	{"a store that has three of four keys", store, 1.3, 1000, 64},
	{"50 blocks, lost by chance", losses, 50, 0, 64, 94.2},
	{"1,000 blocks, lost by chance", losses, 1000, 0, 64, 97},
	{"a leak of changing work", leak_of_changing_work, 1e3, 1.5, 64, 94},
	{"a leak of changing work, 128 windows", leak_of_changing_work, 1e3, 1.5, 128, 95.2},
	{"a load that grows twice", two_steps, 5, 0.26, 64},
	{"a load that grows twice, 128 windows", two_steps, 5, 0.3, 128},
	{"a random walk, 64 windows", walk, 0, 0, 64},
	{"a random walk, 24 windows", walk, 0, 0, 24},
	{"a leak of 4, 40 windows of 3 snapshots", line, 4, 0, 40, 95.1, 4e3, 3},
	{"a leak of 4, the last of 16 snapshots alone", line, 4, 0, 64, 96.1, 4e3, 16, 1},
	{"noise, the last of 16 snapshots alone", noise, 0, 0, 64, 0, 0, 16, 1},
	{"a late leak of 8, told of ever more seldom", late, 20, 0, 128, 95, 2e4, 32, 0, true},
	{"teeth, and then a leak that is below them", teeth_then_leak, 1, 0, 64},
	{"let go in the last snapshot", let_go_at_last, 6, 0, 64, 0, 0, 16, 1},
	{"noise, told of ever more seldom", noise, 0, 0, 64, 0, 0, 16, 0, true},
	{"full for a quarter, told of ever more seldom", full, 0.1, 0.75, 128, 0, 0, 16, 0, true},
	{"a load that grows three times, told of ever more seldom", three_steps, 6, 0, 64, 0, 0, 16,
		0, true},
	{"a leak of 5, told of ever more seldom", line, 5, 0, 64, 95, 5e3, 16, 0, true},
	{"a load that grows three times, 47 windows", three_steps, 6, 0, 47},
	{"full for a quarter, 128 snapshots", full, 0.1, 0.75, 128, 0, 0, 1},
	{"full for a quarter, 256 snapshots", full, 0.16, 0.75, 128, 0, 0, 2},
	{"full for a quarter, under much noise", full, 0.2, 0.75, 128},
	{"full for a quarter, under much noise, by turns", full, 0.25, 0.75, 64, 0, 0, 16,
		.turns_over = true},
	{"fills, under noise, 64 snapshots", fills, 0.1, 0.5, 64, 0, 0, 1},
	{"fills, under much noise, 256 snapshots", fills, 0.2, 0.5, 128, 0, 0, 2},
	{"fills, under much noise, by turns", fills, 0.2, 0.5, 128, 0, .turns_over = true},
	{"has filled to two thirds", fills, 0.05, 1, 128},
	{"has filled to two thirds, by turns", fills, 0.05, 1, 128, 0, .turns_over = true},
	{"fills for ever, under noise, 64 snapshots", fills_for_ever, 0.1, 10, 64, 0, 0, 1},
	{"a random walk, 128 snapshots", walk, 0, 0, 128, 0, 0, 1},
	{"a random walk, 64 snapshots", walk, 0, 0, 64, 0, 0, 1},
	{"a random walk, 256 snapshots", walk, 0, 0, 128, 0, 0, 2},
	{"a leak of 5, 128 snapshots", line, 5, 0, 128, 95, 5e3, 1},
	{"a leak of 5, 32 snapshots", line, 5, 0, 32, 90, 5e3, 1},
	{"a leak beneath 3 days of work", working_days, 0.1, 3, 128, 96.9, 3e5},
	{"a leak beneath 2.5 days of work", working_days, 0.1, 2.5, 128, 96, 2.5e5},
	{"a leak beneath 7 days of work, 128 snapshots", working_days, 0.1, 7, 128, 96.8, 7e5, 1},
	{"3 days of work", working_days, 0, 3, 128},
	{"7 days of work, 64 windows", working_days, 0, 7, 64},
	{"3 busier days", busier_days, 0.1, 3, 128},
	{"7 busier days", busier_days, 0.1, 7, 128},
	{"a buffer of one size, 3 times", equal_teeth, 0, 3, 128},
	{"a leak of 5, 256 snapshots, by turns", line, 5, 0, 128, 95, 5e3, 2, .turns_over = true},
	{"a store that has three of four keys, 128 windows", store, 0.65, 1000, 128},
	{"300 blocks, lost by chance behind a start", losses_behind_start, 300, 0.2, 64, 93.2},
	{"1,000 blocks, lost by chance behind a start", losses_behind_start, 1000, 0.3, 64, 96.9},
	{"noise that remembers an hour of twelve", hours, 0, 0, 128},
	{"a leak of 8, beneath noise that remembers an hour of twelve", hours, 8, 0, 128, 86},
	{"bursts, and a leak", burst_that_leaks, 1e4, 0, 64, 95},
	{"a fill, and then a leak of 12", fill_then_leak, 12, 0, 128, 97},
	{"a fill, and no leak", fill_then_leak, 0, 0, 128},
	{"unequal teeth", unequal_teeth, 0, 0, 128},
	{"unequal teeth, and a floor that rises", unequal_teeth, 0.3, 0, 128, 92.9},
};

// Of a family whose share is far from its bounds already, fewer histories are judged.
enum { KINDS_EACH = 1000, KINDS_FEWEST = 50 };
// So many standard errors are far: chance puts a share on the wrong side of a bound in one of 700 cases.
static const double far_errors = 3;

// Returns true if a share is far from the bound. Two histories of each kind are added, so that no share is
// quite sure. (Agresti and Coull, "Approximate is better than exact", The American Statistician 52 (1998).)
static inline bool
kinds_is_far(double count, double of, double bound)
{
	double share = (count + 2) / (of + 4);

	if (bound <= 0)
		return true;
	return fabs(share - bound / 100) > far_errors * sqrt(share * (1 - share) / (of + 4));
}

// Makes one history of a kind. The rate at which it leaks is in `rate` then.
static inline void
kinds_make(size_t kind, unsigned history, struct trend_point *points)
{
	a = kinds[kind].a;
	b = kinds[kind].b;
	rate = kinds[kind].rate;
	began = false;
	series_snapshots = kinds[kind].snapshots ? kinds[kind].snapshots : SERIES_SNAPSHOTS;
	series_last = kinds[kind].last;
	series_is_sparse = kinds[kind].is_sparse;
	series_seed(history * 100 + kind);
	series_make(points, kinds[kind].windows, kinds[kind].live);
	for (size_t k = 0; k < kinds[kind].windows && kinds[kind].turns_over; k++)
		points[k].allocs = 1e7 * (double)k;
}

#endif
