// What is resident of the largest sources of mapped memory is told to the page, for 64 MiB of them at
// most, also when it was given back by madvise(); a child tells of its own.

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
	FILE *file = fopen("child", "w");
	fprintf(file, "%d", (int)child);
	fclose(file);
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
	char path[64];
	int child = 0;
	FILE *file = fopen("child", "r");
	const struct log_snapshot *last = log_last(log);

	expect(file && fscanf(file, "%d", &child) == 1);
	expect_resident(last, "by_large", 300, LARGE);
	expect_resident(last, "by_small", 650, SMALL);
	// These are 16,384 pages in all.
	expect_resident(last, "by_tiny", LEFT, LEFT);
	snprintf(path, sizeof(path), "pmem.%d.log", child);
	read_log(&childs, path);
	expect_resident(log_last(&childs), "by_small", SMALL, SMALL);
}
