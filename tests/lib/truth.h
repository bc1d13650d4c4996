// truth: random histories of hundreds of sources, the logs of which show a few, and what was so
// after each snapshot. For tests that know what the reader may say.

#ifndef TESTS_TRUTH_H
#define TESTS_TRUTH_H

#include <stdlib.h>
#include <string.h>

#include "log/snapshot.h"
#include "makelog.h"

enum {
	SOURCES_MAX = 200,
	BLOCKS_MAX = 400,
};

struct truth {
	struct counts counts[BLOCKS_MAX][SOURCES_MAX];
	struct counts total[BLOCKS_MAX];
	int64_t ms[BLOCKS_MAX]; // since 1970
	uint64_t ids[SOURCES_MAX];
	uint64_t bytes[SOURCES_MAX]; // of each of its allocations
	int numbers[SOURCES_MAX];
	int sources, snapshots;
	bool has_emptied;
};

static struct truth truth;
static struct counts now[SOURCES_MAX];
static uint64_t seed;

static unsigned
noise(unsigned bound)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % bound;
}

static void
allocate(struct makelog *log, int i, uint64_t calls)
{
	makelog_malloc(log, truth.numbers[i], calls, truth.bytes[i]);
	now[i].allocs += calls;
	now[i].blocks += calls;
	now[i].alloc += calls * truth.bytes[i];
	now[i].live += calls * truth.bytes[i];
}

static void
release(struct makelog *log, int i, uint64_t calls)
{
	makelog_free(log, truth.numbers[i], calls, truth.bytes[i]);
	now[i].frees += calls;
	now[i].blocks -= calls;
	now[i].free += calls * truth.bytes[i];
	now[i].live -= calls * truth.bytes[i];
}

static void
move(struct makelog *log, int i)
{
	if (noise(3))
		allocate(log, i, 1 + noise(20));
	switch (now[i].blocks ? noise(4) : 0) {
	case 1:
		release(log, i, now[i].blocks);
		break;
	case 2:
		release(log, i, noise((unsigned)now[i].blocks + 1));
		break;
	}
}

static inline void
write_history(const char *path)
{
	FILE *file = fopen(path, "w");
	struct makelog_options options = {
		.show = 1 + noise(40),
		.show_empty = 1 + noise(10),
		.without_emptied = noise(3) == 0,
		.tells_once = seed % 2 == 1,
	};
	if (!file)
		abort();
	truth.has_emptied = !options.without_emptied;
	struct makelog *log = makelog_open(file, &options);
	char name[32];

	memset(now, 0, sizeof(now));
	truth.sources = 2 + (int)noise(SOURCES_MAX - 2);
	truth.snapshots = 2 + (int)noise(BLOCKS_MAX - 2);
	for (int i = 0; i < truth.sources; i++) {
		snprintf(name, sizeof(name), "f%d/g%d", i, i % 7);
		truth.numbers[i] = makelog_source(log, name);
		truth.ids[i] = makelog_id(log, truth.numbers[i]);
		truth.bytes[i] = noise(5) == 0 ? noise(2) : noise(1000);
	}
	unsigned busy = 1 + noise(60);
	for (int snapshot = 0; snapshot < truth.snapshots; snapshot++) {
		unsigned moves = noise(4) ? noise(busy) : noise(3);
		for (unsigned i = 0; i < moves; i++)
			move(log, (int)noise((unsigned)truth.sources));
		// Some come so long after the one before that a window is of several times.
		int step = noise(30) ? 100 : 20000;
		truth.ms[snapshot] = step
			+ (snapshot > 0 ? truth.ms[snapshot - 1] : INT64_C(1795219200000));
		makelog_snapshot(log, (uint64_t)step, snapshot == truth.snapshots - 1 && noise(2)
			? "exit" : "churn");
		memcpy(truth.counts[snapshot], now, sizeof(now));
		truth.total[snapshot] = (struct counts){0};
		for (int i = 0; i < truth.sources; i++)
			counts_add(&truth.total[snapshot], &now[i]);
		if (noise(20) == 0)
			makelog_rotate(log, file);
	}
	makelog_close(log);
	fclose(file);
}

// The last snapshot by that time, as Unix has it; the first if there is none.
static inline int
snapshot_at(int64_t ms)
{
	int snapshot = 0;

	while (snapshot + 1 < truth.snapshots && truth.ms[snapshot + 1] <= ms)
		snapshot++;
	return snapshot;
}

// Its number in the truth.
static inline int
find_source(uint64_t id)
{
	for (int i = 0; i < truth.sources; i++) {
		if (truth.ids[i] == id)
			return i;
	}
	abort();
}

#endif
