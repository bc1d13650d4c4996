// A line, a rise and a jump are fitted from sums that are made once for all of their places. The same
// shapes, drawn value by value, fit as well.

#include "judge/fit.h"
#include "trend_series.h"

static int differ;

static size_t
any(size_t below)
{
	return (size_t)(series_chance() * (double)below);
}

static void
expect_same(const char *what, struct fit a, struct fit b)
{
	double most = fmax(fabs(a.slope - b.slope), fmax(fabs(a.other - b.other), fabs(a.error - b.error)));
	double size = 1 + fabs(a.slope) + fabs(a.other) + fabs(a.error);

	if (fabs(a.score - b.score) < 1e-6 && most < 1e-6 * size && a.kept == b.kept)
		return;
	printf("%s: score %g for %g, slope %g for %g\n", what, a.score, b.score, a.slope, b.slope);
	differ++;
}

// Draws what rises from one value to another, or jumps if both are one.
static void
draw(const struct fit_series *series, size_t from, size_t to, double *at)
{
	for (size_t i = 0; i < series->count; i++) {
		size_t here = i < from ? from : i < to ? i : to;
		at[i] = from == to ? i >= to : series->times[here] - series->times[from];
	}
}

static struct fit
fit_drawn(const struct fit_series *series, const double *a, const double *b, double places)
{
	struct fit_shape shapes[] = {fit_shape_of(series, a), fit_shape_of(series, b)};
	struct fit_product both = fit_multiply(a, b, series->count);

	return b == a ? fit_shapes(series, shapes, 1, NULL, places) : fit_shapes(series, shapes, 2, &both, places);
}

static void
compare(const struct fit_series *series)
{
	static struct fit_bends bends;
	double first[FIT_MAX], line[FIT_MAX];
	size_t last = series->count - 1, at = 1 + any(last - 1);
	size_t since = at + any(last - at), from = any(at);

	fit_bends_prepare(&bends, series);
	draw(series, from, at, first);
	expect_same("a rise", fit_rises(&bends, from, at, series->count),
		fit_drawn(series, first, first, 1 + (from > 0)));
	draw(series, since, last, line);
	expect_same("a line", fit_rises(&bends, 0, 0, since), fit_drawn(series, line, line, since > 0));
	draw(series, 0, at, first);
	expect_same("a rise and a line", fit_rises(&bends, 0, at, since),
		fit_drawn(series, first, line, 1 + (since > at)));
	// Shapes that are alike cannot be told apart.
	if (fit_drawn(series, line, first, 0).score == INFINITY)
		differ++;
	draw(series, since, last, first);
	if (fit_drawn(series, line, first, 0).score < INFINITY) {
		printf("equal shapes are fitted\n");
		differ++;
	}
	draw(series, at, at, first);
	for (since = 0; since <= at; since += at) {
		draw(series, since, last, line);
		expect_same("a jump and a line", fit_jump(&bends, at, since),
			fit_drawn(series, first, line, FIT_PLACE_OF_JUMP + (since > 0)));
	}
}

int
main(void)
{
	static struct fit_series series;
	double noise = 0, time = 0;

	series_seed(1);
	for (int run = 0; run < 2000; run++) {
		series.count = 8 + any(FIT_MAX - 8);
		for (size_t i = 0; i < series.count; i++) {
			noise = run % 10 / 10.0 * noise + series_chance();
			time += i == 0 ? -time : 0.1 + series_chance();
			series.times[i] = time;
			series.values[i] = noise + run % 3 * (double)i;
		}
		for (size_t i = 0; i < series.count; i++)
			series.times[i] /= time;
		fit_prepare(&series);
		compare(&series);
	}
	return differ > 0;
}
