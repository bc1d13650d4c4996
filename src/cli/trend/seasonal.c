// SPDX-License-Identifier: BSD-2-Clause
// The wave is a sum of sines on a straight line. For a given period this is a linear model, fitted
// by least squares. Many periods are tried. Sines do not follow a wave with sudden edges. So a wave
// with edges is fitted by seasonal_fold().

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trend/kendall.h"
#include "trend/seasonal.h"
#include "trend/seasonal_fold.h"
#include "trend/shape.h"
#include "trend/verdict.h"

enum {
	HARMONICS = 3,
	// terms of the model: a level, a line, and a cosine and a sine for each harmonic
	TERMS = 2 + 2 * HARMONICS,
	PERIODS_LEAST = 2,         // a wave has at least this many periods in the series
	POINTS_LEAST = 6,          // a period has at least this many points
	QUIETEST = 16,             // the lowest 1 / QUIETEST of a period's points are its quietest
	STEPS = 8,                 // the number of periods in the series is tried in steps of 1 / STEPS
	FINE_STEPS = 8,            // a finer search then tries steps of 1 / (STEPS * FINE_STEPS)
	TRIED_MOST = TREND_MAX / POINTS_LEAST * STEPS,
};

// A wave must explain at least this share of the squared residuals of a straight line.
static const double explained = 0.8;

// A wave counts as one with edges if seasonal_fold() fits clearly better than sines: its squared
// residuals are below this share of the sines' squared residuals.
static const double clearly = 0.5;
// Without the wave, the series has a slope, and so a rise from the first period to the last. The
// lowest floors must rise by at least this share of that rise.
static const double still_there = 0.6;

static const double whole_turn = 6.283185307179586;

struct model {
	double periods; // number of periods in the whole series
	double left;    // squared residuals
	double factors[TERMS];
};

// An angle, by its cosine and sine.
struct turn {
	double cosine, sine;
};

static struct turn
turn_by(double turns)
{
	return (struct turn){cos(whole_turn * turns), sin(whole_turn * turns)};
}

static struct turn
turn_on(struct turn a, struct turn b)
{
	return (struct turn){a.cosine * b.cosine - a.sine * b.sine,
		a.sine * b.cosine + a.cosine * b.sine};
}

// Sets terms[] to the first `count` terms of the model at time t. `first` is the angle of the first
// harmonic at that time.
static void
terms_of(struct turn first, double t, int count, double *terms)
{
	struct turn turn = first;

	terms[0] = 1;
	terms[1] = t;
	for (int i = 2; i + 1 < count; i += 2) {
		terms[i] = turn.cosine;
		terms[i + 1] = turn.sine;
		turn = turn_on(turn, first);
	}
}

// For each period that is tried: the angle of the first harmonic at each time. Computing sines
// takes most of the search's time. Most sources of a process have points at the same times. So the
// angles are kept from one source to the next.
static struct {
	size_t count;
	double times[TREND_MAX];
	struct sine {
		bool is_known;
		struct turn at[TREND_MAX];
	} tried[TRIED_MOST + 1];
} sines;

static void
sines_for(const struct stretch *stretch)
{
	if (sines.count == stretch->count
		&& memcmp(sines.times, stretch->times, stretch->count * sizeof(*sines.times)) == 0)
		return;
	sines.count = stretch->count;
	memcpy(sines.times, stretch->times, stretch->count * sizeof(*sines.times));
	for (int i = 0; i <= TRIED_MOST; i++)
		sines.tried[i].is_known = false;
}

// Returns the angles of the first harmonic if the stretch has `step` / STEPS periods. `step` is 1
// or more.
static const struct sine *
sine_of(const struct stretch *stretch, unsigned step)
{
	struct sine *sine = &sines.tried[step];

	if (sine->is_known)
		return sine;
	sine->is_known = true;
	for (size_t i = 0; step == 1 && i < stretch->count; i++)
		sine->at[i] = turn_by(stretch->times[i] / stretch_duration(stretch) / STEPS);
	if (step == 1)
		return sine;
	const struct sine *before = sine_of(stretch, step - 1), *one = sine_of(stretch, 1);
	for (size_t i = 0; i < stretch->count; i++)
		sine->at[i] = turn_on(before->at[i], one->at[i]);
	return sine;
}

// Solves `count` linear equations in place, by elimination. The right side is in column TERMS. The
// solution for unknown i is then rows[i][TERMS] / rows[i][i]. Returns false if there is not exactly
// one solution.
static bool
solve(double rows[TERMS][TERMS + 1], int count)
{
	for (int i = 0; i < count; i++) {
		int most = i;
		for (int j = i + 1; j < count; j++)
			if (fabs(rows[j][i]) > fabs(rows[most][i]))
				most = j;
		if (fabs(rows[most][i]) < 1e-9)
			return false;
		for (int k = 0; k <= TERMS; k++) {
			double other = rows[i][k];
			rows[i][k] = rows[most][k];
			rows[most][k] = other;
		}
		for (int j = 0; j < count; j++) {
			double factor = j == i ? 0 : rows[j][i] / rows[i][i];
			for (int k = i; k <= TERMS; k++)
				rows[j][k] -= factor * rows[i][k];
		}
	}
	return true;
}

// Fits the model's first `count` terms. `sine` has the angle of the first harmonic at each time. If
// it is NULL, the angles are computed. Returns false if the equations have no single solution.
static bool
fit_known(const struct stretch *stretch, double periods, int count, const struct sine *sine,
	struct model *model)
{
	double rows[TERMS][TERMS + 1] = {{0}};
	double terms[TERMS], middle = stretch->floors[stretch->count / 2], square = 0;
	double whole = stretch_duration(stretch);

	for (size_t i = 0; i < stretch->count; i++) {
		double value = stretch->floors[i] - middle;
		double t = stretch->times[i] / whole;
		terms_of(sine ? sine->at[i] : turn_by(periods * t), t, count, terms);
		for (int j = 0; j < count; j++) {
			for (int k = 0; k <= j; k++)
				rows[j][k] += terms[j] * terms[k];
			rows[j][TERMS] += terms[j] * value;
		}
	}
	for (int j = 0; j < count; j++)
		for (int k = 0; k < j; k++)
			rows[k][j] = rows[j][k];
	*model = (struct model){.periods = periods};
	double sums[TERMS];
	for (int j = 0; j < count; j++)
		sums[j] = rows[j][TERMS];
	if (!solve(rows, count))
		return false;
	for (int j = 0; j < count; j++)
		model->factors[j] = rows[j][TERMS] / rows[j][j];
	for (size_t i = 0; i < stretch->count; i++) {
		double value = stretch->floors[i] - middle;
		square += value * value;
	}
	for (int j = 0; j < count; j++)
		square -= model->factors[j] * sums[j];
	model->left = fmax(square, 0);
	return true;
}

static bool
fit(const struct stretch *stretch, double periods, int count, struct model *model)
{
	return fit_known(stretch, periods, count, NULL, model);
}

// Finds the period of the wave that explains most of the floors' variance. For speed, the first
// search uses only the first harmonic.
static bool
find_period(const struct stretch *stretch, const struct model *line, struct model *best)
{
	struct model model;
	unsigned most = (unsigned)(stretch->count / POINTS_LEAST * STEPS);

	*best = *line;
	sines_for(stretch);
	for (unsigned i = PERIODS_LEAST * STEPS; i <= most; i++)
		if (fit_known(stretch, (double)i / STEPS, 4, sine_of(stretch, i), &model)
				&& model.left < best->left)
			*best = model;
	if (best->periods <= 0 || !fit(stretch, best->periods, TERMS, best))
		return false;
	// A finer search uses all harmonics. If the period were a little wrong, a part of the wave
	// would remain in the series.
	double about = best->periods;
	for (int i = -FINE_STEPS; i <= FINE_STEPS; i++) {
		double periods = about + (double)i / (STEPS * FINE_STEPS);
		if (periods >= PERIODS_LEAST && fit(stretch, periods, TERMS, &model)
				&& model.left < best->left)
			*best = model;
	}
	return true;
}

// Returns the mean of the quietest floors (QUIETEST) in the period that begins at time `first`.
static double
quietest_from(const struct stretch *stretch, double first, double period)
{
	double floors[KENDALL_MAX], sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < stretch->count; i++)
		if (stretch->times[i] >= first && stretch->times[i] <= first + period)
			floors[count++] = stretch->floors[i];
	qsort(floors, count, sizeof(*floors), kendall_by_value);
	size_t least = (count + QUIETEST - 1) / QUIETEST;
	for (size_t i = 0; i < least; i++)
		sum += floors[i] / (double)least;
	return sum;
}

// Compares the quietest floors of the first and of the last period. Returns true if they rise by
// nearly as much as the slope says (still_there). Otherwise the series has not risen for good: one
// wave was higher than the wave before, or one tooth (oscillation.h) was longer.
static bool
stays(const struct stretch *stretch, double period, double slope)
{
	double last = stretch_duration(stretch) - period;
	double rise = quietest_from(stretch, last, period) - quietest_from(stretch, 0, period);

	return rise >= slope * last * still_there;
}

// Returns the point with another floor. The peak keeps its distance from the floor, and the number
// of blocks changes in proportion to the floor.
static struct trend_point
moved_to(const struct trend_point *point, double floor)
{
	struct trend_point moved = *point;

	moved.floor = floor;
	moved.peak = floor + (point->peak - point->floor);
	if (point->floor > 0)
		moved.blocks *= floor / point->floor;
	return moved;
}

static size_t
take_sines(const struct trend_point *points, const struct stretch *stretch, const struct model *wave,
	struct trend_point *out)
{
	for (size_t i = 0; i < stretch->count; i++) {
		double terms[TERMS], of_wave = 0, t = stretch->times[i] / stretch_duration(stretch);
		terms_of(turn_by(wave->periods * t), t, TERMS, terms);
		for (int j = 2; j < TERMS; j++)
			of_wave += wave->factors[j] * terms[j];
		out[i] = moved_to(&points[i], points[i].floor - of_wave);
	}
	return stretch->count;
}

static size_t
take_folded(const struct trend_point *points, const struct seasonal_fold *folded,
	struct trend_point *out)
{
	for (size_t i = 0; i < folded->count; i++)
		out[i] = moved_to(&points[folded->points[i]], folded->calm[i]);
	return folded->count;
}

size_t
seasonal_remove(const struct trend_point *points, size_t count, struct trend_point *out)
{
	struct stretch stretch;
	struct model line, wave;

	stretch_open(&stretch, points, count);
	double whole = stretch_duration(&stretch);
	if (whole <= 0 || !fit(&stretch, 0, 2, &line) || !find_period(&stretch, &line, &wave))
		return 0;
	double period = whole / wave.periods;
	struct seasonal_fold folded;
	seasonal_fold(&stretch, period, &folded);
	bool has_edges = folded.squares < clearly * wave.left;
	if ((has_edges ? folded.squares : wave.left) >= (1 - explained) * line.left
			|| !stays(&stretch, period, has_edges ? folded.slope : wave.factors[1] / whole))
		return 0;
	return has_edges ? take_folded(points, &folded, out) : take_sines(points, &stretch, &wave, out);
}
