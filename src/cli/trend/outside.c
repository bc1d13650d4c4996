// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "trend/outside.h"

// How many bytes a block takes beside the bytes that the program asked for. glibc takes 8 bytes for
// the block's size, and 8 on average to round it to a multiple of 16. pmem takes 8 for its tag.
// Small or aligned blocks take more.
static const double beside_block = 24;
static const double beside_block_most = 48;

// A fragmented heap is at most this many times as large as its highest live bytes.
static const double pieces = 4;

// A thread's stack usually has less than stack_usual bytes in memory. It seldom has more than
// stack_most, the kernel's default limit.
static const double stack_usual = 256 << 10;
static const double stack_most = 8 << 20;

// Returns how many bytes of the growth malloc can explain at most: its overhead for each block, and
// free memory that it keeps.
static double
malloc_most(const struct outside_growth *growth)
{
	double beside = beside_block_most * growth->blocks;
	double kept = growth->freed + beside_block_most * growth->frees;

	if (growth->threads > 0)
		kept = fmin(kept, pieces * growth->most * growth->threads);
	return beside + kept;
}

enum outside
outside_judge(const struct outside_growth *growth)
{
	double least = SHARE_MOST * growth->bytes;

	if (growth->bytes <= 0)
		return OUTSIDE_UNKNOWN;
	if (growth->let_go >= least)
		return OUTSIDE_KEPT;
	if (beside_block * growth->blocks >= least)
		return OUTSIDE_BLOCKS;
	if (growth->alive > 0 && growth->bytes <= stack_usual * growth->alive)
		return OUTSIDE_STACKS;
	double known_most = malloc_most(growth) + stack_most * growth->alive;
	return known_most < least ? OUTSIDE_MAPPED : OUTSIDE_UNKNOWN;
}

double
outside_threads(const struct run *run, const struct threads *threads)
{
	bool knows_all = run->tells_threads && threads->moved_unshown == 0;
	return knows_all ? (double)threads->count : 0;
}

// Returns the index of the last point that is not later than the clock time, or 0 if all points are
// later.
static size_t
point_at(const struct trend_point *points, size_t count, double clock)
{
	size_t at = 0;

	while (at + 1 < count && points[at + 1].clock <= clock)
		at++;
	return at;
}

// Returns the growth of a gauge since a clock time, 0 if it has fallen, or -1 if it is not known.
static double
grown_since(struct history *history, enum gauge gauge, double clock)
{
	struct trend_point points[TREND_MAX];
	size_t count = history_gauge(history, gauge, points);

	if (count == 0)
		return -1;
	return fmax(points[count - 1].floor - points[point_at(points, count, clock)].floor, 0);
}

struct outside_growth
outside_since(struct history *history, const struct finding *findings)
{
	const struct finding *finding = &findings[GAUGE_OUTSIDE];
	struct trend_point points[TREND_MAX];
	const struct run *run = history_run(history);
	const struct counts *first = &history->first->summary.total;
	const struct counts *last = &history->last->summary.total;
	struct outside_growth growth = {.bytes = finding->trend.growth, .most = (double)run->peak,
		.threads = outside_threads(run, &history->last->more->threads),
		.shared = grown_since(history, GAUGE_SHARED, findings[GAUGE_FILE].began)};
	size_t count = history_gauge(history, GAUGE_BLOCKS, points);
	size_t from = point_at(points, count, finding->began);

	if (count == 0)
		return growth;
	for (size_t i = 0; i < count; i++)
		growth.most = fmax(growth.most, points[i].peak);
	growth.blocks = fmax(points[count - 1].blocks - points[from].blocks, 0);
	growth.let_go = fmax(points[from].peak - points[count - 1].peak, 0);
	growth.freed = (double)(last->free - first->free);
	growth.frees = (double)(last->frees - first->frees);
	growth.alive = fmax(grown_since(history, GAUGE_ALIVE, finding->began), 0);
	growth.mapped = fmin(fmax(grown_since(history, GAUGE_MAPPED, finding->began), 0), growth.bytes);
	growth.bytes -= growth.mapped;
	return growth;
}
