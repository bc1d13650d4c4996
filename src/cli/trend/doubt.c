// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"
#include "trend/findings.h"

// At most this share of the reported leaks is expected to be due to chance alone.
static const double by_chance = 0.05;

static double
chance_of(const struct finding *finding)
{
	return 1 - finding->trend.confidence;
}

static int
by_chance_of(const void *a, const void *b)
{
	double x = chance_of(*(struct finding *const *)a);
	double y = chance_of(*(struct finding *const *)b);
	return (x > y) - (x < y);
}

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
	struct finding **leaks = memory_get(findings->count, sizeof(struct finding *));
	size_t tested = count_tested(findings);
	size_t count = 0;
	size_t believed = 0;

	for (size_t i = 0; i < findings->count; i++)
		if (verdict_is_leak(findings->sources[i].trend.verdict))
			leaks[count++] = &findings->sources[i];
	qsort(leaks, count, sizeof(struct finding *), by_chance_of);
	for (size_t i = 0; i < count; i++)
		if (chance_of(leaks[i]) * (double)tested <= by_chance * (double)(i + 1))
			believed = i + 1;
	for (size_t i = believed; i < count; i++) {
		findings->of_verdict[leaks[i]->trend.verdict]--;
		findings->of_verdict[VERDICT_SHORT]++;
		leaks[i]->trend.verdict = VERDICT_SHORT;
	}
	free(leaks);
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
