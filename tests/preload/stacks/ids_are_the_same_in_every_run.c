// A source has the same id in the next run, wherever its code is loaded; different sources
// have different ones.

#include <stdlib.h>
#include <string.h>

#include "host.h"

FRAME void one(void) { use(malloc(1)); }
FRAME void two(void) { use(malloc(2)); use(calloc(1, 3)); }

void
host(void)
{
	for (volatile int i = 0; i < 2; i++)
		one();
	two();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *first = log_last(log);
	char before[64];
	expect_equal(first->shown, 3);
	expect(strcmp(first->entries[0].id, first->entries[1].id) != 0);
	snprintf(before, sizeof(before), "mv %s kept", host_log);
	expect(system(before) == 0);
	for (int i = 0; i < 3; i++) {
		struct logfile again;
		expect_equal(run_again("", true, NULL), 0);
		expect(system("mv pmem.*.log again") == 0);
		read_log(&again, "again");
		for (int n = 0; n < 3; n++)
			expect(strcmp(first->entries[n].id, log_last(&again)->entries[n].id) == 0);
		// Address space is laid out anew: the frames' addresses differ, or nothing is shown.
		if (strcmp(first->entries[0].frames[0], log_last(&again)->entries[0].frames[0]) != 0)
			return;
	}
	fprintf(stderr, "three runs at the same addresses: no proof\n");
}
