// A snapshot tells how much of the largest sources of mapped memory is resident, to the page, of 64 MiB at
// most. Pages that madvise() gave back are not. A child's log tells of the child's pages.

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { PAGE = 4096, LARGE = 15360, SMALL = 1000, LEFT = 24, TINY = 100 };

FRAME char *
grab(size_t pages)
{
	char *at = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		abort();
	madvise(at, pages * PAGE, MADV_NOHUGEPAGE);
	return at;
}

FRAME char *by_large(void) { return grab(LARGE); }
FRAME char *by_small(void) { return grab(SMALL); }
FRAME char *by_tiny(void) { return grab(TINY); }

void
host(void)
{
	free(malloc(2000000));
	char *large = by_large(), *small = by_small(), *tiny = by_tiny();
	memset(large + 2000 * PAGE, 1, 300 * PAGE);
	memset(small, 1, 700 * PAGE);
	madvise(small, 50 * PAGE, MADV_DONTNEED);
	memset(tiny, 1, TINY * PAGE);
	pid_t child = fork();
	if (child == 0) {
		memset(small, 1, SMALL * PAGE);
		free(malloc(2000000));
		exit(0);
	}
	leave_number("child", (uint64_t)child);
	int status = -1;
	expect(waitpid(child, &status, 0) == child && status == 0);
}

static void
expect_resident(const struct log_snapshot *snapshot, const char *by, uint64_t pages, uint64_t asked)
{
	const struct log_source *source = log_mapped_by(snapshot, by);
	expect(source != NULL);
	expect_equal(source->resident, pages * PAGE);
	expect_equal(source->asked, asked * PAGE);
}

void
check(const struct logfile *log)
{
	struct logfile childs;
	const struct log_snapshot *last = log_last(log);

	expect_resident(last, "by_large", 300, LARGE);
	expect_resident(last, "by_small", 650, SMALL);
	// Large, small and these LEFT make the 16,384 pages (64 MiB) that a snapshot asks about.
	expect_resident(last, "by_tiny", LEFT, LEFT);
	read_log_of(&childs, (pid_t)left_number("child"));
	expect_resident(log_last(&childs), "by_small", SMALL, SMALL);
}
