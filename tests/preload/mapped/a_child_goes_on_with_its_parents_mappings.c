// A forked child's log counts what it maps from its fork on, knows what it has from before, and is
// right where it unmaps that. A child of vfork() maps for its parent.

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { MEBI = 1 << 20 };

__attribute__((noinline)) char *
grab(size_t bytes)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		abort();
	return at;
}

__attribute__((noinline)) void by_parent(void) { grab(3 * MEBI); }
__attribute__((noinline)) char *both(void) { return grab(2 * MEBI); }
__attribute__((noinline)) void by_child(void) { grab(5 * MEBI); }
__attribute__((noinline)) void lent(void) { grab(7 * MEBI); }

void
host(void)
{
	free(malloc(2000000));
	by_parent();
	char *shared = both();
	if (vfork() == 0) {
		lent();
		_exit(0);
	}
	pid_t child = fork();
	if (child == 0) {
		munmap(shared, 2 * MEBI);
		by_child();
		free(malloc(2000000));
		exit(0);
	}
	leave_number("child", (uint64_t)child);
	waitpid(child, NULL, 0);
}

void
check(const struct logfile *log)
{
	struct logfile childs;
	const struct log_snapshot *last = log_last(log);

	// qemu's vfork() is fork().
	uint64_t lent_bytes = getenv("TEST_EMULATOR") ? 0 : 7 * MEBI;
	expect_equal(last->mapped.live, 5 * MEBI + lent_bytes);
	expect(lent_bytes == 0 || log_mapped_by(last, "lent")->counts.live == lent_bytes);
	expect_equal(log_mapped_by(last, "both")->counts.live, 2 * MEBI);
	read_log_of(&childs, (pid_t)left_number("child"));
	const struct log_snapshot *end = log_last(&childs);
	expect_equal(end->mapped.live, 8 * MEBI + lent_bytes);
	expect_equal(log_mapped_by(end, "by_child")->counts.live, 5 * MEBI);
	expect_equal(log_mapped_by(end, "by_parent")->counts.live, 3 * MEBI);
	expect(!log_mapped_by(&childs.snapshots[0], "by_parent"));
}
