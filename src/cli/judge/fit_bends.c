// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdbool.h>

#include "judge/fit.h"

struct rises {
	const struct fit_bends *bends;
	size_t from, to, since;
};

// Completes the line that begins at a value. `ty`: the sum of later values by their times.
static void
complete(const struct fit_under *under, double from, double ty, struct fit_bend *bend)
{
	bend->level = bend->t - from * bend->n;
	bend->value = ty - from * bend->y - under->mean * bend->level;
	bend->square = bend->tt - 2 * from * bend->t + from * from * bend->n
		- bend->level * bend->level / under->levels;
}

void
fit_bends_prepare(struct fit_bends *bends, const struct fit_series *series)
{
	const double *times = series->times, *values = series->values, *one = series->ones;
	struct fit_product n = {{0}}, t = n, tt = n, y = n, ty = n;

	bends->series = series;
	for (size_t i = series->count; i-- > 0;) {
		for (size_t k = 0; k < FIT_LIKENESSES; k++) {
			struct fit_bend *bend = &bends->at[k][i];
			*bend = (struct fit_bend){.n = fit_product_under(&n, k), .t = fit_product_under(&t, k),
				.tt = fit_product_under(&tt, k), .y = fit_product_under(&y, k)};
			complete(&series->under[k], times[i], fit_product_under(&ty, k), bend);
		}
		if (i == 0)
			break;
		fit_add(&n, one, one, i);
		fit_add(&t, times, one, i);
		fit_add(&tt, times, times, i);
		fit_add(&y, values, one, i);
		fit_add(&ty, values, times, i);
	}
}

// Returns the product of two lines, of which the first begins no later.
static inline double
multiply(const struct fit_bends *bends, size_t likeness, size_t from, size_t later)
{
	double a = bends->series->times[from], b = bends->series->times[later];
	const struct fit_bend *at = bends->at[likeness], *bend = &at[later];

	return bend->tt - (a + b) * bend->t + a * b * bend->n
		- at[from].level * bend->level / bends->series->under[likeness].levels;
}

// A rise from one value to another is the difference of two lines.
static void
set_up_rises(const void *shapes, size_t likeness, struct fit_equations *equations)
{
	const struct rises *rises = shapes;
	const struct fit_bends *bends = rises->bends;
	const struct fit_bend *at = bends->at[likeness];
	size_t from = rises->from, to = rises->to, since = rises->since, count = 0;

	if (from < to) {
		equations->right[0] = at[from].value - at[to].value;
		equations->matrix[0][0] = at[from].square - 2 * multiply(bends, likeness, from, to) + at[to].square;
		count++;
	}
	if (since == bends->series->count)
		return;
	equations->right[count] = at[since].value;
	equations->matrix[count][count] = at[since].square;
	if (from < to)
		equations->matrix[1][0] = multiply(bends, likeness, from, since)
			- multiply(bends, likeness, to, since);
}

struct fit
fit_rises(const struct fit_bends *bends, size_t from, size_t to, size_t since)
{
	bool has_ramp = from < to, has_line = since < bends->series->count;
	struct rises rises = {bends, from, to, since};
	int places = has_ramp ? 1 + (from > 0) + (has_line && since > to) : since > 0;

	return fit_best(bends->series, (size_t)has_ramp + has_line, places, set_up_rises, &rises);
}

struct jump {
	const struct fit_bends *bends;
	size_t at, since;
};

// The jump's own value has no part of one before.
static void
set_up_jump(const void *shapes, size_t likeness, struct fit_equations *equations)
{
	const struct jump *jump = shapes;
	const struct fit_series *series = jump->bends->series;
	const struct fit_under *under = &series->under[likeness];
	const struct fit_bend *at = &jump->bends->at[likeness][jump->at];
	const struct fit_bend *line = &jump->bends->at[likeness][jump->since];
	const double *times = &series->times[jump->at], *values = &series->values[jump->at];
	double from = series->times[jump->since], level = at->n + 1 - under->kept;

	equations->right[0] = at->y + values[0] - under->kept * values[-1] - under->mean * level;
	equations->matrix[0][0] = at->n + 1 - level * level / under->levels;
	equations->matrix[1][0] = at->t - from * at->n + times[0] - from
		- under->kept * fmax(times[-1] - from, 0) - level * line->level / under->levels;
	equations->right[1] = line->value;
	equations->matrix[1][1] = line->square;
}

struct fit
fit_jump(const struct fit_bends *bends, size_t at, size_t since)
{
	struct jump jump = {bends, at, since};

	return fit_best(bends->series, 2, FIT_PLACE_OF_JUMP + (since > 0), set_up_jump, &jump);
}
