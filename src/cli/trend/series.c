#include "base/memory.h"
#include "trend/series.h"

// What comes later is taken into the point.
static void
merge(struct series_point *into, const struct series_point *later)
{
	if (later->floor.bytes < into->floor.bytes)
		into->floor = later->floor;
	if (later->peak > into->peak)
		into->peak = later->peak;
	into->last = later->last;
	into->last_blocks = later->last_blocks;
	into->last_allocs = later->last_allocs;
}

void
series_widen(struct series *series, unsigned shift)
{
	uint32_t count = 0;
	unsigned more = shift - series->shift;

	series->shift = shift;
	if (more == 0)
		return;
	for (uint32_t i = 0; i < series->count; i++) {
		struct series_point *point = &series->points[i];
		point->window = more < 32 ? point->window >> more : 0;
		if (count > 0 && series->points[count - 1].window == point->window)
			merge(&series->points[count - 1], point);
		else
			series->points[count++] = *point;
	}
	series->count = count;
}

void
series_add(struct series *series, unsigned shift, const struct sample *sample, bool is_gap)
{
	struct series_point point = {
		.window = (uint32_t)(sample->time >> shift),
		.is_gap = is_gap,
		.first = sample->time,
		.floor = *sample,
		.peak = sample->bytes,
		.last = sample->bytes,
		.last_blocks = sample->blocks,
		.last_allocs = sample->allocs,
	};

	series_widen(series, shift);
	if (series->count > 0 && series->points[series->count - 1].window == point.window) {
		merge(&series->points[series->count - 1], &point);
		return;
	}
	size_t room = series->room;
	series->points = memory_grow(series->points, series->count, &room, sizeof(point));
	series->room = (uint32_t)room;
	series->points[series->count++] = point;
}
