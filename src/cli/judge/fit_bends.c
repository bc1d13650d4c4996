// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>

#include "judge/fit.h"

static struct fit_product
plus(struct fit_product a, struct fit_product b, double factor)
{
	for (int part = 0; part < FIT_PARTS; part++)
		a.part[part] += factor * b.part[part];
	return a;
}

void
fit_bends_prepare(struct fit_bends *bends, const struct fit_series *series)
{
	const double *t = series->times, *y = series->values, *one = series->ones;
	struct fit_sums sums = {0};

	bends->series = series;
	bends->after[series->count - 1] = sums;
	for (size_t i = series->count - 1; i > 0; i--) {
		fit_add(&sums.n, one, one, i);
		fit_add(&sums.t, t, one, i);
		fit_add(&sums.tt, t, t, i);
		fit_add(&sums.y, y, one, i);
		fit_add(&sums.ty, y, t, i);
		bends->after[i - 1] = sums;
	}
}

// Returns the product of two lines, of which the first begins no later.
static struct fit_product
multiply(const struct fit_bends *bends, size_t from, size_t later)
{
	double a = bends->series->times[from], b = bends->series->times[later];
	const struct fit_sums *sums = &bends->after[later];

	return plus(plus(sums->tt, sums->t, -(a + b)), sums->n, a * b);
}

static struct fit_shape
line_from(const struct fit_bends *bends, size_t from)
{
	const struct fit_sums *sums = &bends->after[from];
	double t = bends->series->times[from];

	return (struct fit_shape){.level = plus(sums->t, sums->n, -t),
		.value = plus(sums->ty, sums->y, -t), .square = multiply(bends, from, from)};
}

// Returns the rise from one value to another: the difference of two lines.
static struct fit_shape
ramp_of(const struct fit_bends *bends, size_t from, size_t to)
{
	struct fit_shape a = line_from(bends, from), b = line_from(bends, to);
	struct fit_product both = multiply(bends, from, to);

	return (struct fit_shape){plus(a.level, b.level, -1), plus(a.value, b.value, -1),
		plus(plus(a.square, both, -2), b.square, 1)};
}

struct fit
fit_rises(const struct fit_bends *bends, size_t from, size_t to, size_t since)
{
	bool has_ramp = from < to, has_line = since < bends->series->count;
	struct fit_shape shapes[2];
	struct fit_product both = {0};
	int count = 0, places = has_ramp ? 1 + (from > 0) + (has_line && since > to) : since > 0;

	if (has_ramp)
		shapes[count++] = ramp_of(bends, from, to);
	if (has_line)
		shapes[count++] = line_from(bends, since);
	if (has_ramp && has_line)
		both = plus(multiply(bends, from, since), multiply(bends, to, since), -1);
	return fit_shapes(bends->series, shapes, (size_t)count, &both, places);
}
