// A block that is freed counts where it was allocated.

#include <stdlib.h>

#include "host.h"

FRAME void *give(void) { return malloc(100); }

void
host(void)
{
	void *block = give();
	use(block);
	free(block);
}

void
check(const struct logfile *log)
{
	expect_equal(log_empty_from(log_last(log), "give")->counts.free, 100);
}

