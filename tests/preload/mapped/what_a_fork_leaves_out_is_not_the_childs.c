// of a kernel
// Pages that madvise(MADV_DONTFORK) keeps from children are in the parent's log, not in a child's. So are
// pages that mremap() moved since.

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { PAGE = 4096, ACCESSIBLE = PROT_READ | PROT_WRITE };

FRAME char *
grab(size_t pages)
{
	char *at = mmap(NULL, pages * PAGE, ACCESSIBLE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		abort();
	return at;
}

FRAME char *by_both(void) { return grab(100); }
FRAME char *by_parent(void) { return grab(1000); }
FRAME char *
by_mover(char *at)
{
	return mremap(at, 1000 * PAGE, 2000 * PAGE, MREMAP_MAYMOVE);
}

void
host(void)
{
	free(malloc(2000000));
	char *both = by_both();
	char *parents = by_parent();
	expect(madvise(both + 10 * PAGE, 40 * PAGE, MADV_DONTFORK) == 0);
	expect(madvise(both + 20 * PAGE, 10 * PAGE, MADV_DOFORK) == 0);
	expect(madvise(both + 1, PAGE, MADV_DONTFORK) == -1);
	// A new mapping in their place is the child's, too.
	expect(mmap(both + 40 * PAGE, 5 * PAGE, ACCESSIBLE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
		== both + 40 * PAGE);
	expect(madvise(parents, 1000 * PAGE, MADV_DONTFORK) == 0);
	parents = by_mover(parents);
	pid_t child = fork();
	if (child == 0) {
		both[25 * PAGE] = both[42 * PAGE] = 1;
		expect(msync(both + 12 * PAGE, PAGE, MS_ASYNC) == -1 && msync(parents, PAGE, MS_ASYNC) == -1);
		expect(msync(parents + 1999 * PAGE, PAGE, MS_ASYNC) == -1);
		free(malloc(2000000));
		exit(0);
	}
	leave_number("child", (uint64_t)child);
	int status = -1;
	expect(waitpid(child, &status, 0) == child && status == 0);
}

void
check(const struct logfile *log)
{
	struct logfile childs;
	const struct log_snapshot *last = log_last(log);

	expect_equal(last->mapped.live, 2100 * PAGE);
	expect_equal(log_mapped_by(last, "by_mover")->counts.live, 2000 * PAGE);
	read_log_of(&childs, (pid_t)left_number("child"));
	last = log_last(&childs);
	expect_equal(last->mapped.live, 75 * PAGE);
	expect_equal(log_mapped_by(last, "by_both")->counts.live, 70 * PAGE);
	expect_equal(log_loss(last, "mappings_missed"), 0);
}
