// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "base/memory.h"
#include "trend/findings.h"

// Adds a rate to a sum of rates. The rates' errors are independent, so the squared errors add up.
static void
add_rate(struct work_rate *sum, const struct work_rate *more)
{
	double below = hypot(sum->rate - sum->low, more->rate - more->low);
	double above = hypot(sum->high - sum->rate, more->high - more->rate);

	sum->rate += more->rate;
	sum->low = sum->rate - below;
	sum->high = sum->rate + above;
}

static void
add_slope(struct trend *sum, const struct trend *more)
{
	struct work_rate rate = {sum->slope, sum->slope_low, sum->slope_high};

	add_rate(&rate, &(struct work_rate){more->slope, more->slope_low, more->slope_high});
	sum->slope = rate.rate;
	sum->slope_low = rate.low;
	sum->slope_high = rate.high;
}

// Leaks are of one place if leaks_asked.place_of() returns the same number for their sources. A
// place has the finding into which its leaks are joined, and the slope of its fastest leak.
struct place {
	struct finding *finding;
	double fastest;
};

// Joins one more finding into the finding of its place. This finding takes number, source and
// verdict of the fastest leak.
static void
add(struct place *place, const struct finding *more)
{
	struct finding *sum = place->finding;

	if (more->trend.slope > place->fastest) {
		place->fastest = more->trend.slope;
		sum->number = more->number;
		sum->source = more->source;
		sum->trend.verdict = more->trend.verdict;
	}
	add_slope(&sum->trend, &more->trend);
	add_rate(&sum->by_work, &more->by_work);
	sum->held += more->held;
	sum->trend.growth += more->trend.growth;
	sum->trend.growth_blocks += more->trend.growth_blocks;
	sum->trend.confidence = fmax(sum->trend.confidence, more->trend.confidence);
	if (more->began < sum->began)
		sum->or_earlier = more->or_earlier;
	sum->began = fmin(sum->began, more->began);
	sum->grew = fmax(sum->grew, more->grew);
	sum->known = fmax(sum->known, more->known);
	sum->went_without = sum->went_without && more->went_without;
	sum->allocs += more->allocs;
	sum->sources += more->sources;
}

void
findings_join(struct findings *findings, size_t (*place_of)(const struct source *source))
{
	struct intern keys = {0};
	struct place *places = memory_get(findings->count + 1, sizeof(*places));
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->sources[i];
		bool is_new = true;
		if (verdict_is_leak(finding->trend.verdict)) {
			size_t key[] = {finding->standing, place_of(finding->source)};
			struct place *place = &places[intern_number(&keys, key, sizeof(key), &is_new)];
			if (is_new)
				*place = (struct place){&findings->sources[count], finding->trend.slope};
			else
				add(place, finding);
		}
		if (is_new)
			findings->sources[count++] = *finding;
	}
	findings->count = count;
	free(places);
	intern_free(&keys);
}
