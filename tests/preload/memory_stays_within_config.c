// A million allocations from ten thousand sources: the library's own memory is what
// config.h says, and most of that is never touched.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

// Each of 2^14 paths through 14 levels is a stack of its own. Two functions, since a
// compiler folds two calls of one.
FRAME void *left(int depth, unsigned path);
FRAME void *right(int depth, unsigned path)
{
	void *block = depth == 0 ? malloc(16) : path & 1 ? left(depth - 1, path >> 1)
							: right(depth - 1, path >> 1);
	use(block);
	return block;
}

FRAME void *left(int depth, unsigned path)
{
	void *block = depth == 0 ? malloc(16) : path & 1 ? left(depth - 1, path >> 1)
							: right(depth - 1, path >> 1);
	use(block);
	return block;
}

// Kilobytes of the lines of /proc/self/smaps that follow a mapping whose line has `name`,
// or of anonymous ones when it is NULL.
static uint64_t
resident_of(const char *name)
{
	FILE *file = fopen("/proc/self/smaps", "r");
	char line[512];
	int inside = 0;
	uint64_t sum = 0;
	unsigned long start, end, rss;
	while (fgets(line, sizeof(line), file)) {
		int used = 0;
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s%n", &start, &end, &used) == 2 && used) {
			line[strcspn(line, "\n")] = '\0';
			const char *path = line + used + strspn(line + used, " ");
			// Tables of zeros follow the library's image without a name.
			static int after;
			inside = name ? strstr(path, name) != NULL || (after && !*path) : !*path;
			after = strstr(path, "libpmem") != NULL || (after && !*path);
		} else if (inside && sscanf(line, "Rss: %lu kB", &rss) == 1) {
			sum += rss;
		}
	}
	fclose(file);
	return sum;
}

void
host(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		free(left(14, i % 10000));
	uint64_t kilobytes = resident_of("libpmem");
	printf("figure: %lu KiB resident in the library's tables\n", (unsigned long)kilobytes);
	fflush(stdout);
	// 10,000 sources of 19 frames: frames, index, sums and names; config.h would let it be
	// a hundred times that.
	expect(kilobytes > 1000 && kilobytes < 10000);
	void *kept = malloc(1);
	use(kept);
}

void
check(const struct logfile *log)
{
	const struct log_block *last = log_last(log);
	expect(last->sources >= 10000 && last->sources < 10100);
	expect(last->total.allocs >= 1000000);
	expect_equal(log_loss(last, "table_full"), 0);
	unsigned long bound = 0;
	const char *text = strstr(log->runs[0].header, " memory_max=");
	expect(text && sscanf(text, " memory_max=%lu", &bound) == 1);
	// 64 slots of 2 MiB, and tables of about 128 bytes a source and 64 frames of 8.
	expect(bound > 64UL << 20 && bound < 256UL << 20);
}
