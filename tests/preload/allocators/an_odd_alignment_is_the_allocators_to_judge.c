// on each allocator
// An alignment of 0, or one that is no power of two, gets the answer that it gets without us, with
// the same errno; what it gives is a block like others, and is counted where it has 57 bytes or more.

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static uint64_t kept;

FRAME void *
ask(int function, size_t alignment, size_t bytes)
{
	void *block = NULL;
	if (function == 0)
		block = aligned_alloc(alignment, bytes);
	else if (function == 1)
		block = memalign(alignment, bytes);
	else if ((errno = posix_memalign(&block, alignment, bytes)) != 0)
		block = NULL;
	use(block);
	return block;
}

void
host(void)
{
	static const size_t alignments[] = {0, 3, 24, 48, 100};
	static const size_t sizes[] = {64, 72, 96, 4096};
	FILE *file = fopen(strcmp(host_role(), "bare") == 0 ? "bare" : "logged", "w");

	for (int i = 0; i < 3 * 5 * 4; i++) {
		size_t bytes = sizes[i % 4];
		errno = 0;
		char *block = ask(i / 20, alignments[i / 4 % 5], bytes);
		fprintf(file, "%zu bytes at %zu by %d: %s, errno %d\n", bytes, alignments[i / 4 % 5], i / 20,
			block ? "a block" : "none", errno);
		if (block)
			block[0] = block[bytes - 1] = 1;
		kept += block && i % 3 ? bytes : 0;
		if (i % 3 == 0)
			free(block);
	}
	fprintf(file, "kept %lu\n", kept);
	fclose(file);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	char *logged = strdup(read_file("logged"));

	expect(run_again("bare", false, NULL) == 0);
	expect(strcmp(logged, read_file("bare")) == 0);
	expect_equal(log_sum(last, "ask").live, strtoul(strrchr(logged, ' '), NULL, 10));
	expect_equal(log_loss(last, "untracked_frees"), 0);
}
