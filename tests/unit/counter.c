// A source has moved when any of its four counters has; sums come apart again.

#include "unit.h"
#include "base/counter.h"

int
main(void)
{
	const struct counter before = {
		.allocs = 5, .alloc_bytes = 500, .free_bytes = 300, .frees = 3};
	struct counter now = before;

	expect(!counter_moved(&now, &before));
	expect(counter_live(&now) == 200 && counter_holds(&now));
	now.allocs++; // for 0 bytes
	expect(counter_moved(&now, &before) && counter_churn(&now, &before) == 0);
	now = before;
	now.frees++;
	expect(counter_moved(&now, &before));
	// The bytes of a call that an earlier look has seen without them.
	now = before;
	now.alloc_bytes += 100;
	expect(counter_moved(&now, &before) && counter_churn(&now, &before) == 100);
	now = before;
	now.free_bytes += 100;
	expect(counter_moved(&now, &before) && counter_churn(&now, &before) == 100);
	now.frees = 5;
	expect(!counter_holds(&now));

	struct counter sum = before;
	counter_add(&sum, &now);
	expect(sum.allocs == 10 && sum.alloc_bytes == 1000 && sum.free_bytes == 700
		&& sum.frees == 8);
	counter_subtract(&sum, &now);
	expect(!counter_moved(&sum, &before));
	return 0;
}
