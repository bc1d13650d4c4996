// stall SOURCES BLOCKS: how long the thread that writes a block of the log stands still. So
// many sources, each a function of its own with a name that can be looked up, hold memory and
// move; then one allocation of PMEM_CHURN_THRESH makes a block due. Prints of each block, the
// first first, the longest malloc() since the last, in ns.

#include <stddef.h>

#include "config.h"
#include "paths.h"
#include "tool.h"

enum {
	DEPTH = 20,
	LEAVES = 10000,
	LEAF_BYTES = 24, // 10000 of them, freed and allocated, stay below the threshold
	BLOCKS_MAX = 60, // within PMEM_LOG_BEGIN_BYTES
};

// Generated: leaf0 to leaf9999, each of which allocates.
extern void *(*const leaves[LEAVES])(size_t bytes);

static void *kept[LEAVES];
static int64_t longest;

static void *
timed(void *(*allocate)(size_t), size_t bytes)
{
	int64_t start = now_ns();
	void *block = allocate(bytes);
	int64_t took = now_ns() - start;
	if (took > longest)
		longest = took;
	if (!block)
		abort();
	return block;
}

static int
move(unsigned frames, unsigned path, void *argument)
{
	(void)frames, (void)path;
	void **block = argument;
	free(*block);
	*block = timed(leaves[block - kept], LEAF_BYTES);
	return 0;
}

int
main(int argc, char **argv)
{
	unsigned sources = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
	unsigned blocks = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
	if (sources < 1 || sources > LEAVES || blocks < 1 || blocks > BLOCKS_MAX) {
		fprintf(stderr, "usage: stall SOURCES BLOCKS\n");
		return 2;
	}
	paths_set(sources, 0, move);
	static int64_t took[BLOCKS_MAX];
	static void *volatile large[BLOCKS_MAX];
	for (unsigned i = 0; i < blocks; i++) {
		longest = 0;
		for (unsigned source = 0; source < sources; source++)
			path_even(DEPTH - 2, path_of(source), &kept[source]);
		// Kept: to free it would be a block of its own.
		large[i] = timed(malloc, PMEM_CHURN_THRESH);
		took[i] = longest;
	}
	for (unsigned i = 0; i < blocks; i++)
		printf("%lld\n", (long long)took[i]);
	return 0;
}
