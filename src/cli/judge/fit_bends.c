// SPDX-License-Identifier: BSD-2-Clause

#include "judge/fit.h"

static void
add(struct fit_sums *sums, double t, double u, double y, double v, double weight)
{
	sums->n += weight;
	sums->t += weight * (t + u) / 2;
	sums->tt += weight * t * u;
	sums->y += weight * (y + v) / 2;
	sums->ty += weight * (t * v + u * y) / 2;
}

void
fit_bends_prepare(struct fit_bends *bends, const struct fit_series *series)
{
	const double *t = series->times, *y = series->values;
	struct fit_sums sums[FIT_PARTS] = {0};

	bends->series = series;
	for (size_t i = series->count; i-- > 0;) {
		for (int part = 0; part < FIT_PARTS; part++)
			bends->after[i][part] = sums[part];
		if (i == 0)
			break;
		add(&sums[1], t[i], t[i], y[i], y[i], 1);
		add(&sums[2], t[i], t[i - 1], y[i], y[i - 1], 2);
		add(&sums[3], t[i - 1], t[i - 1], y[i - 1], y[i - 1], 1);
	}
}

// Returns the product of two lines, of which the first begins no later.
static struct fit_product
multiply(const struct fit_bends *bends, size_t from, size_t later)
{
	double a = bends->series->times[from], b = bends->series->times[later];
	struct fit_product product;

	for (int part = 0; part < FIT_PARTS; part++) {
		const struct fit_sums *sums = &bends->after[later][part];
		product.part[part] = sums->tt - (a + b) * sums->t + a * b * sums->n;
	}
	return product;
}

static struct fit_shape
line_from(const struct fit_bends *bends, size_t from)
{
	struct fit_shape line = {.square = multiply(bends, from, from)};
	double t = bends->series->times[from];

	for (int part = 0; part < FIT_PARTS; part++) {
		const struct fit_sums *sums = &bends->after[from][part];
		line.level.part[part] = sums->t - t * sums->n;
		line.value.part[part] = sums->ty - t * sums->y;
	}
	return line;
}

static struct fit_product
subtract(struct fit_product a, struct fit_product b)
{
	for (int part = 0; part < FIT_PARTS; part++)
		a.part[part] -= b.part[part];
	return a;
}

// Returns the rise from one value to another: the difference of two lines.
static struct fit_shape
ramp_of(const struct fit_bends *bends, size_t from, size_t to)
{
	struct fit_shape a = line_from(bends, from), b = line_from(bends, to);
	struct fit_product both = multiply(bends, from, to);

	return (struct fit_shape){subtract(a.level, b.level), subtract(a.value, b.value),
		subtract(subtract(a.square, both), subtract(both, b.square))};
}

struct fit
fit_line(const struct fit_bends *bends, size_t since)
{
	struct fit_shape line = line_from(bends, since);

	return fit_shapes(bends->series, &line, 1, NULL, since > 0);
}

struct fit
fit_ended(const struct fit_bends *bends, size_t from, size_t to)
{
	struct fit_shape ramp = ramp_of(bends, from, to);

	return fit_shapes(bends->series, &ramp, 1, NULL, (from > 0) + 1);
}

struct fit
fit_two(const struct fit_bends *bends, size_t to, size_t since)
{
	struct fit_shape shapes[] = {ramp_of(bends, 0, to), line_from(bends, since)};
	struct fit_product both = subtract(multiply(bends, 0, since), multiply(bends, to, since));

	return fit_shapes(bends->series, shapes, 2, &both, (since > to) + 1);
}
