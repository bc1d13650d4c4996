#include <stdbool.h>

#include "counter.h"
#include "roster.h"
#include "thread.h"
#include "source.h"
#include "symbol.h"
#include "block.h"
#include "reuse.h"

static bool
is_over(uint32_t number, const struct counter *shown)
{
	struct counter sum;
	thread_sum(number, 1, &sum);
	return !counter_holds(&sum) && !counter_moved(&sum, shown);
}

void
reuse_modules(unsigned now, uint32_t sources)
{
	if (!roster_is_short())
		return;
	roster_leave();
	if (!roster_has_left())
		return;
	// Those that come from here on name none that is left.
	uint32_t count = source_count();
	for (uint32_t i = 1; i < count; i++) {
		const struct source *source = source_get(i);
		if (!source_names_left(source) || (i <= sources && is_over(i, &source_sums(i)[now])))
			continue;
		for (uint32_t n = 0; n < source->depth; n++)
			roster_keep(source->frames[n].module);
	}
	if (!roster_has_left())
		return;
	source_sleep();
	symbol_forget();
	block_forget();
	roster_reuse();
}
