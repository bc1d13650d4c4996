// of a kernel
// What fork() copies of a process is its mappings, and of these the touched pages. With sixty
// threads that each came to 16,384 sources our part of both is small: threads have room of their
// own for some of them, bounded room together for others, and what they map lies side by side.
// And each call is counted, wherever.

#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "manystacks.h"

enum { THREADS = 60, LEVELS = 14, SOURCES = 1 << LEVELS };

static void
print_figures(void)
{
	int mappings = 0;
	for (const char *at = read_file("/proc/self/maps"); (at = strchr(at, '\n')); at++)
		mappings++;
	printf("%lu %d\n", (unsigned long)status_kilobytes("RssAnon"), mappings);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	many_start(THREADS, LEVELS);
	print_figures();
	many_end();
}

void
check(const struct logfile *none)
{
	struct logfile log;
	long kilobytes[2];
	int mappings[2];

	(void)none;
	expect_equal(run_again("without", false, "without"), 0);
	expect_equal(run_again("with", true, "with"), 0);
	expect(sscanf(read_file("without"), "%ld %d", &kilobytes[0], &mappings[0]) == 2);
	expect(sscanf(read_file("with"), "%ld %d", &kilobytes[1], &mappings[1]) == 2);
	long added = kilobytes[1] - kilobytes[0];
	printf("figure: %ld KiB touched and %d mappings beside the program's %d\n", added,
		mappings[1] - mappings[0], mappings[0]);
	// 20 MiB: 4 of tables, 8.25 of room together, and some 100 KiB a thread of its own.
	expect(added < 24 << 10);
	expect(mappings[1] - mappings[0] < THREADS);

	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	expect_equal(log_loss(last, "table_full"), 0);
	expect_equal(log_loss(last, "slots_shared"), 0);
	uint64_t allocs = last->total.allocs;
	uint64_t frees = last->total.frees;
	expect(allocs >= (uint64_t)THREADS * SOURCES && allocs < (uint64_t)THREADS * SOURCES + 1000);
	expect(frees >= (uint64_t)THREADS * SOURCES && frees <= allocs);
}
