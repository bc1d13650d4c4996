// pmem: -DPMEM_LOG_FIRST_BYTES=65536
// A program with tens of thousands of sources that come at its start does not spend its log on their
// stacks: what is told first is what holds most, others follow when they do, and nothing is lost
// count of. So a short program's log is small, too.

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"
#include "manystacks.h"

enum { DEPTH = 15, SOURCES = 1 << DEPTH, LARGE = 100000 };

static size_t bytes;

FRAME void *hold(void) { return malloc(bytes); }
FRAME void *keep_most(void) { return malloc(LARGE); }
FRAME void *come_later(void) { return malloc(20 * LARGE); }

void
host(void)
{
	many_leaf = hold;
	use(keep_most());
	for (unsigned i = 0; i < SOURCES; i++) {
		bytes = 8 + i % 1000;
		use(left(DEPTH, i));
		free(malloc(1000));
		usleep(i % 64 == 0 ? 2000 : 0);
	}
	use(come_later());
	free(malloc(1 << 20));
}

static const struct log_source *
entry_of(const struct log_snapshot *snapshot, const char *name)
{
	for (int i = 0; i < snapshot->entry_count; i++)
		for (int n = 0; n < snapshot->entries[i].depth; n++)
			if (strstr(snapshot->entries[i].frames[n], name))
				return &snapshot->entries[i];
	return NULL;
}

void
check(const struct logfile *log)
{
	struct stat file;

	expect(stat(host_log, &file) == 0);
	printf("figure: %d snapshots, %jd bytes\n", log->snapshot_count,
		(intmax_t)file.st_size);
	// The 64 KiB that there are at once, what came in some seconds, a last one, and a peak's.
	expect(log->snapshot_count >= 4);
	expect(file.st_size < 200000);
	expect(entry_of(&log->snapshots[0], "(keep_most+") == &log->snapshots[0].entries[0]);
	expect(log->snapshots[0].hidden > 0);
	const struct log_snapshot *last = log_last(log);
	expect(entry_of(last, "(come_later+") == &last->entries[0]);
	expect(entry_of(last, "(keep_most+") == &last->entries[1]);
	expect(last->total.blocks >= SOURCES + 2);
}
