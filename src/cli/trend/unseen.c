// SPDX-License-Identifier: BSD-2-Clause

#include "trend/findings.h"
#include "trend/trend.h"

void
findings_sum_floors(const struct findings *findings, struct history *history,
	const struct trend_point *live, size_t count, double *sums,
	bool (*is_such)(const struct finding *finding))
{
	struct trend_point points[TREND_MAX];

	for (size_t i = 0; i < count; i++)
		sums[i] = 0;
	for (size_t k = 0; k < findings->count; k++) {
		if (!is_such(&findings->sources[k]))
			continue;
		size_t known = history_points(history, findings->sources[k].number, points);
		for (size_t i = 0, at = 0; known > 0 && i < count; i++) {
			while (at + 1 < known && points[at + 1].time <= live[i].time)
				at++;
			sums[i] += points[at].floor;
		}
	}
}

bool
unseen_is(const struct finding *finding)
{
	return finding->trend.verdict == VERDICT_UNSEEN;
}

// Returns true if a series of this verdict grows, or may grow.
static bool
may_grow(enum verdict verdict)
{
	return verdict_is_leak(verdict) || verdict == VERDICT_SLOWS || verdict == VERDICT_SHORT
		|| verdict == VERDICT_SELDOM;
}

double
unseen_doubt(struct finding *finding, struct history *history, double least)
{
	struct trend_point points[TREND_MAX];

	if (!finding->source->is_unseen || !may_grow(finding->trend.verdict)
			|| history_points(history, finding->number, points) == 0)
		return 0;
	double growth = history_last(history, finding->number) - points[0].floor;
	if (growth < least)
		return 0;
	finding->trend.verdict = VERDICT_UNSEEN;
	return growth;
}

void
unseen_doubt_live(struct findings *findings, struct history *history, double least)
{
	struct trend_point points[TREND_MAX];
	struct trend *trend = &findings->gauges[GAUGE_LIVE].trend;
	double unseen[TREND_MAX];
	size_t count = history_gauge(history, GAUGE_LIVE, points);

	if (findings->unseen == 0 || !may_grow(trend->verdict) || trend->onset >= count)
		return;
	findings_sum_floors(findings, history, points, count, unseen, unseen_is);
	double growth = points[count - 1].floor - points[trend->onset].floor;
	bool is_theirs = unseen[count - 1] - unseen[trend->onset] >= SHARE_MOST * growth;
	for (size_t i = 0; i < count; i++) {
		points[i].floor -= unseen[i];
		points[i].peak -= unseen[i];
		points[i].mean -= unseen[i];
	}
	if (is_theirs || !may_grow(trend_judge(points, count, least).verdict))
		trend->verdict = VERDICT_UNSEEN;
}
