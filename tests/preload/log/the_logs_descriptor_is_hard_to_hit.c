// of a kernel
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// The log is written by another descriptor each time, above those that programs use by number: one
// that closes what is not its own, and opens a file there, hardly ever meets ours.

#include <stdlib.h>

#include "host.h"
#include "shim.h"

enum { FLOOR = 200, CEILING = 1024 };

static volatile int written;
static volatile int below;
static volatile unsigned char seen[CEILING];

static long
shim_call(long number, const long *arguments)
{
	long fd = arguments[0];

	if (number != SYS_write)
		return 0;
	written++;
	if (fd < FLOOR || fd >= CEILING)
		below++;
	else
		seen[fd] = 1;
	return 0;
}

void
host(void)
{
	int different = 0;

	for (int i = 0; i < 500; i++)
		free(malloc(100));
	for (int fd = FLOOR; fd < CEILING; fd++)
		different += seen[fd];
	printf("figure: %d numbers in %d writes\n", different, written);
	expect(written >= 1000 && below == 0);
	expect(different > 100);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count >= 1000);
}
