// pmem: -DPMEM_LOG_MAX_BYTES=65536 -DPMEM_LOG_KEEP=2 -DPMEM_SHOW=1000 -DPMEM_SHOW_EMPTY=1000 -DPMEM_CHURN_THRESH=1000000000 -DPMEM_SNAPSHOT_SIGNAL=10 -DPMEM_LOG_HOURS=0
// A block fits into the log: where there is no room for all it would show, sources that hold
// nothing are left out first; and emptied= tells how many are there.

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "host.h"

FRAME void *left(int depth, unsigned path);
FRAME void *right(int depth, unsigned path);

#define STEP(name) \
	FRAME void *name(int depth, unsigned path) \
	{ \
		void *block = depth == 0 ? malloc(100) \
			: path & 1   ? left(depth - 1, path >> 1) \
				     : right(depth - 1, path >> 1); \
		use(block); \
		return block; \
	}
STEP(left)
STEP(right)

enum { CHURNERS = 256, HELD = 5 };

// The first `held` of so many sources keep a block.
static void
move(unsigned held)
{
	for (unsigned i = 0; i < CHURNERS; i++) {
		void *block = left(8, i);
		if (i >= held)
			free(block);
	}
	raise(SIGUSR1);
	free(malloc(1));
}

void
host(void)
{
	move(HELD);
	move(CHURNERS);
}

void
check(const struct logfile *log)
{
	// The limit is that of a file, and each snapshot has one of its own: the third is the exit's.
	struct logfile old[2];
	struct stat file;
	char path[80];

	expect_equal(log->snapshot_count, 1);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s.%d", host_log, 2 - i);
		expect(stat(path, &file) == 0 && file.st_size <= 65536);
		read_log(&old[i], path);
		expect_equal(old[i].snapshot_count, 1);
	}
	const struct log_snapshot *few = &old[0].snapshots[0];
	expect(few->shown >= HELD && few->shown < HELD + 10);
	expect_equal(few->hidden, 0);
	expect(few->empty >= CHURNERS - HELD && few->empty_shown < few->empty);
	expect(few->empty_shown > 5);

	// An entry with fewer frames than theirs may still find room.
	const struct log_snapshot *many = &old[1].snapshots[0];
	expect(many->shown + many->hidden >= CHURNERS);
	expect(many->hidden > 0 && many->shown > 10);
	expect(many->empty_shown <= 2);
	printf("figure: %d and %d entries\n", few->entry_count, many->entry_count);
}
