// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "base/assert.h"
#include "trend/findings.h"

// Returns the number of sources whose rise was tested. Sources that have not changed since the
// start have no rise. The exit's snapshot shows hundreds of them. They must not count: the more
// sources are tested, the more a real leak seems to be due to chance.
static size_t
count_tested(const struct findings *findings)
{
	static const enum verdict untested[] = {VERDICT_START_UP, VERDICT_FLAT, VERDICT_SHORT,
		VERDICT_SELDOM, VERDICT_UNSEEN};
	size_t tested = findings->count;

	for (size_t i = 0; i < sizeof(untested) / sizeof(untested[0]); i++)
		tested -= findings->of_verdict[untested[i]];
	ASSERT(tested <= findings->count);
	return tested;
}

void
findings_doubt(struct findings *findings)
{
	double tested = (double)count_tested(findings);

	for (size_t i = 0; i < findings->count; i++) {
		struct trend *trend = &findings->sources[i].trend;
		if (!verdict_is_leak(trend->verdict) || (1 - trend->confidence) * tested <= TREND_CHANCE)
			continue;
		findings->of_verdict[trend->verdict]--;
		findings->of_verdict[VERDICT_SHORT]++;
		trend->verdict = VERDICT_SHORT;
	}
}

void
findings_wait(struct findings *findings)
{
	struct finding *live = &findings->gauges[GAUGE_LIVE];
	double sum = 0;

	if (!verdict_is_leak(live->trend.verdict) || live->standing != STANDS)
		return;
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->sources[i];
		if (!verdict_is_leak(finding->trend.verdict) || !finding_is_early(finding))
			continue;
		sum += finding->trend.growth;
		live->ask_again = fmax(live->ask_again, finding->ask_again);
	}
	if (2 * sum > live->trend.growth)
		live->standing = STANDS_BRIEF;
}
