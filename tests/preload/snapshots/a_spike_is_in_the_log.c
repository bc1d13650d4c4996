// pmem: -DPMEM_LOG_HOURS=8784 -DPMEM_LOG_BEGIN_BYTES=2000
// on each allocator
// In a busy program whose log has used up its beginning, a spike of live bytes is told: by the
// peak that each snapshot has, and by a snapshot near it; also one that rises and falls at once,
// and one that is built up of small blocks. They come as peaks rise, and not with each.

#include <stdlib.h>
#include <string.h>

#include "host.h"

#define MIB (UINT64_C(1) << 20)

enum { SMALL = 40000, BLOCKS = 2000 };

FRAME void busy(void) { for (int i = 0; i < 50; i++) free(malloc(1 << 20)); }

FRAME void at_once(uint64_t bytes) { free(malloc(bytes)); }

FRAME void
piece_by_piece(uint64_t bytes)
{
	static void *blocks[BLOCKS];
	int count = (int)(bytes / SMALL);
	for (int i = 0; i < count; i++)
		blocks[i] = malloc(SMALL);
	for (int i = 0; i < count; i++)
		free(blocks[i]);
}

void
host(void)
{
	void *held = malloc(20 * MIB);
	use(held);
	busy();
	piece_by_piece(30 * MIB);
	busy();
	at_once(300 * MIB);
	busy();
	// Lower ones, and hardly higher ones.
	for (int i = 0; i < 100; i++)
		at_once(300 * MIB + (uint64_t)i * 1000);
	busy();
}

static uint64_t
highest(const struct logfile *log, uint64_t below)
{
	uint64_t most = 0;
	for (int i = 0; i < log->snapshot_count; i++) {
		uint64_t live = log->snapshots[i].total.live;
		if (live < below && live > most)
			most = live;
	}
	return most;
}

void
check(const struct logfile *log)
{
	int peaks = 0;

	expect(log_last(log)->peak >= 320 * MIB && log_last(log)->peak < 321 * MIB);
	expect(highest(log, UINT64_MAX) >= 320 * MIB);
	expect(highest(log, 60 * MIB) >= 45 * MIB);
	for (int i = 0; i < log->snapshot_count; i++)
		peaks += strcmp(log->snapshots[i].reason, "peak") == 0;
	expect(peaks >= 2 && peaks < 10);
	expect(log_last(log)->hwm == 0 || log_last(log)->hwm >= log_last(log)->rss);
}
