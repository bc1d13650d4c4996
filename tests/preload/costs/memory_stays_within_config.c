// A million allocations from ten thousand sources: the library's own memory is what
// config.h says, and most of that is never touched. The log tells what it takes.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "manystacks.h"

void
host(void)
{
	if (!host_role()[0])
		return;
	for (unsigned i = 0; i < 1000000; i++)
		free(left(14, i % 10000));
	printf("%lu\n", (unsigned long)status_kilobytes("RssAnon"));
	void *kept = malloc(1);
	use(kept);
}

void
check(const struct logfile *none)
{
	struct logfile with;
	const struct logfile *log = &with;

	(void)none;
	expect_equal(run_again("without", false, "without"), 0);
	expect_equal(run_again("with", true, "with"), 0);
	long kilobytes = strtol(read_file("with"), NULL, 10) - strtol(read_file("without"), NULL, 10);
	printf("figure: %ld KiB resident in the library's tables\n", kilobytes);
	// 10,000 sources of 19 frames: frames, index, sums and names; config.h would let it be
	// a hundred times that.
	expect(kilobytes > 1000 && kilobytes < 10000);

	read_log_of(&with, again_pid);
	const struct log_snapshot *last = log_last(log);
	expect(last->sources >= 10000 && last->sources < 10100);
	expect(last->total.allocs >= 1000000);
	expect_equal(log_loss(last, "table_full"), 0);
	// Nearly all is mapped as it is used; beside it are 2.4 MB of static tables.
	printf("figure: %ld KiB of tables in the log\n", (long)(last->tables >> 10));
	expect(last->tables > 0 && (long)(last->tables >> 10) < 2 * kilobytes);
	expect(kilobytes < (long)(last->tables >> 10) + 2400);
	unsigned long bound = 0;
	const char *text = strstr(log->runs[0].header, " memory_max=");
	expect(text && sscanf(text, " memory_max=%lu", &bound) == 1);
	// 1,023 slots of 64 KiB, with 142 of last stacks, and room for more; tables of about
	// 128 bytes a source and 64 frames of 8; and 5 MiB for lines of Python or Ruby, some 20 for code
	// made at run time; and 128 for the table of tags.
	expect(bound > 64UL << 20 && bound < 424UL << 20);
}
