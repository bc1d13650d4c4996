// SPDX-License-Identifier: BSD-2-Clause
// Kendall's tau-b tells whether amounts grow with the work, and Sen's slope by how much
// (judge/kendall.h). Both hold for any distribution of amounts. The standard deviation of tau
// without a correlation is Kendall's. Unlike the windows of a log, runs do not depend on each
// other.

#include <math.h>
#include <stdlib.h>

#include "report/job_amounts.h"
#include "judge/kendall.h"

static const double same = 0.02; // amounts that differ by this part at most are the same
// The work of two runs differs if it does so by this factor, and by this part of the amount. Only
// then would a leak show.
static const double other = 1.5;
static const double least_work = 0.1;
// Without growth the correlation is 0, give or take its standard deviation. Chance exceeds this many
// standard deviations in one of 3,000 places. A program may leave memory in many places.
static const double certain = 3.4;
// What fills up, such as a cache, grows little where there is most work. Its slope there is less
// than this part of the whole slope.
static const double least_slope = 0.25;
static const double more = 1.1; // if these runs' work differs by this factor at least

static int
by_work(const void *left, const void *right)
{
	const struct job_amount *a = left, *b = right;

	return (a->work > b->work) - (a->work < b->work);
}

// Sets the sums. If each run left the same number of blocks, subtracts their bytes from the work.
static void
sum_up(struct report_job_place *place)
{
	bool has_equal_blocks = true;

	place->lowest = INFINITY;
	for (size_t i = 0; i < place->count; i++) {
		const struct job_amount *of = &place->amounts[i];
		place->lowest = fmin(place->lowest, of->bytes);
		place->highest = fmax(place->highest, of->bytes);
		place->sum += of->bytes;
		has_equal_blocks = has_equal_blocks && of->blocks == place->amounts[0].blocks;
	}
	for (size_t i = 0; has_equal_blocks && i < place->count; i++)
		place->amounts[i].work = fmax(place->amounts[i].work - place->amounts[i].bytes, 0);
	qsort(place->amounts, place->count, sizeof(*place->amounts), by_work);
}

static double
mean(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

// Returns by how many bytes the amount grows with each byte of work. Returns 0 if it does not
// surely grow with the work, or only up to some amount.
static double
rate_of(const struct report_job_place *place)
{
	size_t most = place->count < KENDALL_MAX ? place->count : KENDALL_MAX;
	double work[KENDALL_MAX], bytes[KENDALL_MAX];

	for (size_t i = 0; i < most; i++) {
		const struct job_amount *of = &place->amounts[i * (place->count - 1) / (most - 1)];
		work[i] = of->work;
		bytes[i] = of->bytes;
	}
	double count = (double)most;
	double deviation = sqrt(2 * (2 * count + 5) / (9 * count * (count - 1)));
	if (kendall_correlation(work, bytes, most) < certain * deviation)
		return 0;
	size_t half = most / 2;
	double whole = (mean(&bytes[half], most - half) - mean(bytes, half))
		/ (mean(&work[half], most - half) - mean(work, half));
	bool fills_up = work[most - 1] >= more * work[half]
		&& kendall_slope(&work[half], &bytes[half], most - half) < least_slope * whole;
	return fills_up ? 0 : fmax(kendall_slope(work, bytes, most), 0);
}

void
job_amounts_judge(struct report_job_place *place, double least_bytes)
{
	sum_up(place);
	double least = place->amounts[0].work, most = place->amounts[place->count - 1].work;
	bool is_same = place->highest - place->lowest <= fmax(same * place->lowest, least_bytes);
	bool has_worked = most >= other * least && most - least >= least_work * place->lowest;

	place->word.verdict = REPORT_NOT_JUDGED;
	if (place->count < (is_same ? JOB_FEW : JOB_SOME)) {
		place->word.detail = "too few runs";
	} else if (is_same) {
		place->word = has_worked ? (struct report_word){REPORT_NO_LEAK, "the same after more work"}
			: (struct report_word){REPORT_NOT_JUDGED,
				"the same work each time, so it may be a table: give one run twice as much"};
	} else if ((place->rate = rate_of(place)) > 0) {
		place->word = (struct report_word){REPORT_LEAKS, "more after more work"};
	} else {
		place->word.detail = "it varies, but not with the work";
	}
}
