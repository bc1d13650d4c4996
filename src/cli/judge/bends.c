// SPDX-License-Identifier: BSD-2-Clause

#include "judge/bends.h"

void
bends_prepare(struct bends *bends, const struct fit_series *series)
{
	struct bends_sums sums = {0};

	bends->series = series;
	for (size_t i = series->count; i-- > 0;) {
		bends->after[i] = sums;
		if (i == 0)
			break;
		double t = series->times[i], u = series->times[i - 1];
		double y = series->values[i], v = series->values[i - 1];
		sums.count++;
		sums.t += t;
		sums.u += u;
		sums.tt += t * t;
		sums.tu += t * u;
		sums.uu += u * u;
		sums.y += y;
		sums.v += v;
		sums.ty += t * y;
		sums.tv_uy += t * v + u * y;
		sums.uv += u * v;
	}
}

// Returns the product of two lines, of which the first begins no later.
static struct fit_product
multiply(const struct bends *bends, size_t from, size_t later)
{
	const struct bends_sums *sums = &bends->after[later];
	double sum = bends->series->times[from] + bends->series->times[later];
	double product = sums->count * bends->series->times[from] * bends->series->times[later];

	return (struct fit_product){0, sums->tt - sum * sums->t + product,
		2 * (sums->tu + product) - sum * (sums->t + sums->u), sums->uu - sum * sums->u + product};
}

struct fit_shape
bends_line(const struct bends *bends, size_t from)
{
	const struct bends_sums *sums = &bends->after[from];
	double t = bends->series->times[from];

	return (struct fit_shape){
		.level = {0, sums->t - sums->count * t, sums->t + sums->u - 2 * sums->count * t,
			sums->u - sums->count * t},
		.value = {0, sums->ty - t * sums->y, sums->tv_uy - t * (sums->v + sums->y),
			sums->uv - t * sums->v},
		.square = multiply(bends, from, from),
	};
}

static struct fit_product
subtract(const struct fit_product *a, const struct fit_product *b)
{
	return (struct fit_product){a->first - b->first, a->same - b->same, a->near - b->near,
		a->before - b->before};
}

// Returns the rise from the begin of one line to that of the other.
static struct fit_shape
ramp_of(const struct fit_shape *a, const struct fit_shape *b, const struct fit_product *both)
{
	struct fit_product left = subtract(&a->square, both), right = subtract(both, &b->square);

	return (struct fit_shape){.level = subtract(&a->level, &b->level),
		.value = subtract(&a->value, &b->value), .square = subtract(&left, &right)};
}

// Returns the number of a line's beginnings that were sought: the first value is none.
static double
sought(size_t from)
{
	return from > 0;
}

struct fit
bends_fit_line(const struct bends *bends, size_t from)
{
	struct fit_shape line = bends_line(bends, from);
	const struct fit_shape *shapes[] = {&line};

	return fit_shapes(bends->series, shapes, 1, NULL, sought(from));
}

struct fit
bends_fit_ended(const struct bends *bends, size_t from, size_t to)
{
	struct fit_shape first = bends_line(bends, from), second = bends_line(bends, to);
	struct fit_product both = multiply(bends, from, to);
	struct fit_shape ramp = ramp_of(&first, &second, &both);
	const struct fit_shape *shapes[] = {&ramp};

	return fit_shapes(bends->series, shapes, 1, NULL, sought(from) + sought(to));
}

struct fit
bends_fit_two(const struct bends *bends, size_t to, size_t since)
{
	struct fit_shape first = bends_line(bends, 0), second = bends_line(bends, to);
	struct fit_shape line = bends_line(bends, since);
	struct fit_product both = multiply(bends, 0, to);
	struct fit_shape ramp = ramp_of(&first, &second, &both);
	const struct fit_shape *shapes[] = {&ramp, &line};
	struct fit_product early = multiply(bends, 0, since), late = multiply(bends, to, since);
	struct fit_product product = subtract(&early, &late);

	return fit_shapes(bends->series, shapes, 2, &product, since > to ? 2 : 1);
}
