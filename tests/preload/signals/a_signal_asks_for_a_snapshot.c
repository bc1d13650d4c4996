// pmem: -DPMEM_SNAPSHOT_SIGNAL=SIGUSR2
// The chosen signal does not disturb the program; the next allocation or free writes a
// snapshot. A program that has a handler of its own keeps it.

#include <signal.h>
#include <stdlib.h>

#include "host.h"

static int own;
static void on_own(int number) { own += number != 0; }

void
host(void)
{
	use(malloc(10));
	for (int i = 0; i < 3; i++) {
		raise(SIGUSR2);
		free(malloc(1));
	}
	signal(SIGUSR2, on_own);
	raise(SIGUSR2);
	free(malloc(1));
	expect_equal(own, 1);
}

void
check(const struct logfile *log)
{
	expect_equal(log->snapshot_count, 4);
	for (int i = 0; i < 3; i++)
		expect(log->snapshots[i].reason[0] == 's');
	expect_equal(log->snapshots[0].total.allocs, 2);
	expect(log->snapshots[3].reason[0] == 'e');
}
