// long
// of glibc
// Whatever the allocator beneath is told (tunables, mallopt, MALLOC_*, its debug library):
// contents, alignment and errno of a long transcript are as without us, and each block is
// counted; where the debug library is loaded none is, and the log says so.

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum {
	BLOCKS = 64,
	STEPS = 20000,
	SETTINGS = 14,
};

static const char *const settings[SETTINGS][2] = {
	{"GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"},
	{"GLIBC_TUNABLES", "glibc.malloc.perturb=170"},
	{"GLIBC_TUNABLES", "glibc.malloc.mmap_max=0"},
	{"GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=64"},
	{"GLIBC_TUNABLES", "glibc.malloc.top_pad=1000000"},
	{"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"},
	{"GLIBC_TUNABLES", "glibc.malloc.arena_max=1"},
	// On aarch64 blocks and pointers have tags that the processor compares.
	{"GLIBC_TUNABLES", "glibc.mem.tagging=3"},
	{"MALLOC_PERTURB_", "85"},
	{"MALLOC_TOP_PAD_", "0"},
	{"MALLOC_CHECK_", "3"},
	{"MALLOPT", "M_MMAP_THRESHOLD"},
	{"MALLOPT", "M_TRIM_THRESHOLD"},
	{"MALLOPT", "M_PERTURB"},
};

static void
set_options(void)
{
	const char *option = getenv("MALLOPT");
	if (option && strcmp(option, "M_MMAP_THRESHOLD") == 0)
		mallopt(M_MMAP_THRESHOLD, 1000);
	else if (option && strcmp(option, "M_TRIM_THRESHOLD") == 0)
		mallopt(M_TRIM_THRESHOLD, 0);
	else if (option)
		mallopt(M_PERTURB, 7);
}

static void
transcript(void)
{
	static struct { unsigned char *at, byte; size_t bytes; } blocks[BLOCKS];
	uint64_t random = 88172645463325252;

	set_options();
	for (unsigned step = 0; step < STEPS; step++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		unsigned i = random % BLOCKS;
		size_t bytes = random >> 40 & (random >> 20 & 63 ? 511 : 0x3ffff);
		size_t kept = blocks[i].bytes < bytes ? blocks[i].bytes : bytes;
		errno = 0;
		if (random >> 30 & 1)
			free(blocks[i].at), blocks[i].at = calloc(1, bytes), kept = bytes, blocks[i].byte = 0;
		else if (random >> 31 & 1 || !bytes)
			free(blocks[i].at), blocks[i].at = memalign(64, bytes), kept = 0;
		else
			blocks[i].at = realloc(blocks[i].at, bytes);
		for (size_t at = 0; at < kept; at++)
			expect(blocks[i].at[at] == blocks[i].byte);
		printf("%u %zu %zu %d\n", step, bytes, (uintptr_t)blocks[i].at % 16, errno);
		blocks[i].byte = (unsigned char)step;
		blocks[i].bytes = bytes;
		memset(blocks[i].at, blocks[i].byte, malloc_usable_size(blocks[i].at));
		if (step % 1000 == 0)
			malloc_trim(0);
	}
	for (unsigned i = 0; i < BLOCKS; i++)
		free(blocks[i].at);
}

void
host(void)
{
	if (host_role()[0])
		transcript();
}

static void
compare(bool counts)
{
	struct logfile log;

	expect_equal(run_again("transcript", false, "without"), 0);
	expect_equal(run_again("transcript", true, "with"), 0);
	expect(strcmp(read_file("without"), read_file("with")) == 0);
	read_log_of(&log, again_pid);
	if (!counts) {
		expect_equal(log.snapshot_count, 0);
		expect(strstr(log.notes[0], "/libc_malloc_debug.so.0, which looks for writes behind"));
		return;
	}
	const struct log_snapshot *last = log_last(&log);
	// And standard output's buffer.
	expect_equal(last->total.allocs, STEPS + 1);
	expect(last->total.blocks <= 1);
	expect(log_loss(last, "untracked_frees") + log_loss(last, "damaged") == 0);
}

void
check(const struct logfile *log)
{
	char libraries[1000];

	(void)log;
	for (int i = 0; i < SETTINGS; i++) {
		setenv(settings[i][0], settings[i][1], 1);
		compare(true);
		unsetenv(settings[i][0]);
	}
	snprintf(libraries, sizeof(libraries), "%s libc_malloc_debug.so.0", host_library());
	setenv("PMEM_LIBRARY", libraries, 1);
	for (const char *level = "0123"; *level; level++) {
		setenv("MALLOC_CHECK_", level, 1);
		compare(false);
	}
	printf("figure: %d settings, %d steps each\n", SETTINGS + 4, STEPS);
}
