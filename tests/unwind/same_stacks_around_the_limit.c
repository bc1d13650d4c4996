// long
// Recursion that goes deeper than PMEM_FRAMES, up a little and down again, and far beyond:
// the innermost frames are kept, and they are backtrace()'s, at any depth and in any order.
// pmem: -DPMEM_ORACLE=1
// each: -O0; -O2 -fno-optimize-sibling-calls

#include <stdlib.h>

#include "host.h"
#include "oracle.h"

static unsigned long seed = 1;
static unsigned
draw(unsigned below)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(seed >> 33) % below;
}

FRAME void odd(int depth, int again);

// Allocates on the way down and up, and from some depths goes down again.
FRAME void even(int depth, int again)
{
	use(malloc(16));
	if (depth > 0)
		odd(depth - 1, again);
	if (again > 0 && draw(6) == 0)
		odd((int)draw(12), again - 1);
	use(malloc(16));
}

FRAME void odd(int depth, int again)
{
	char room[32];
	use(room);
	if (draw(2) == 0)
		use(malloc(24));
	if (depth > 0)
		even(depth - 1, again);
	use(malloc(32));
	use(room);
}

void
host(void)
{
	static const int depths[] = {1, 30, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 90, 95, 96, 97,
		120, 127, 128, 150, 188, 190, 191, 192, 193, 194, 200, 260, 400, 1000};
	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
			even(depths[i], 3);
			even(depths[draw(sizeof(depths) / sizeof(*depths))] / 2, 3);
		}
	}
}

void
check(const struct logfile *log)
{
	expect(log_loss(log_last(log), "stacks_cut") > 100);
	expect_oracle(log, 20000, false);
}
