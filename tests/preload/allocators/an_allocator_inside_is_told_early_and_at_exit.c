// pmem: -DPMEM_LOOK_MS=50
// A program that has its memory from an allocator of its own, under another name, and of
// malloc next to nothing, has a block soon after its start, when its memory has grown, and at
// its exit: each says that malloc holds next to nothing of it.

#include <stdlib.h>
#include <time.h>

#include "host.h"
#include "statm.h"

static char *arena, *arena_end;

// Frees nothing, as the programs have it that are woken up for.
static void *
my_malloc(size_t bytes)
{
	if (!arena || (size_t)(arena_end - arena) < bytes) {
		arena = mapped(16 * MIB);
		arena_end = arena + 16 * MIB;
	}
	arena += bytes;
	return arena - bytes;
}

static void
work(uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i += 1000)
		use(my_malloc(1000));
}

// A look is due by now, and a few KiB of churn come by.
static void
breathe(void)
{
	struct timespec pause = {.tv_nsec = 200000000};
	while (nanosleep(&pause, &pause) != 0)
		;
	for (int i = 0; i < 5; i++)
		free(malloc(300));
}

// Allocates nothing.
static bool
has_log(void)
{
	char path[64];
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	return access(path, F_OK) == 0;
}

void
host(void)
{
	work(10 * MIB);
	expect(!has_log());
	breathe();
	expect(has_log());
	// Not once more for the same.
	breathe();
	work(50 * MIB);
	breathe();
	work(100 * MIB);
	breathe();
	breathe();
}

void
check(const struct logfile *log)
{
	int grown = 0;

	expect(log->snapshot_count >= 3);
	for (int i = 0; i < log->snapshot_count; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		const char *expected = i == 0 ? "first" : i + 1 == log->snapshot_count ? "exit"
			: "look";
		bool is_grown = strcmp(snapshot->reason, "rss") == 0;
		expect(is_grown || strcmp(snapshot->reason, expected) == 0);
		grown += is_grown;
		expect(snapshot->churn < 20000 && snapshot->total.live < 20000);
		expect(snapshot->has_memory
			&& snapshot->outside + statm_late(1) > (grown > 0 ? 160 * MIB : 10 * MIB));
		expect(snapshot->malloc == 0);
	}
	expect(grown == 1);
}
