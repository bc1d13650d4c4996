// of a kernel
// A thread that allocates little takes at most 64 KiB of our memory: the first one, and each of 200
// and of 1,000 that are alive. It was 36 when this was written, and 44 for the first.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "host.h"

enum { MOST = 64, STEPS = 3 };

static const int alive[STEPS] = {1, 200, 1000};
static pthread_barrier_t step; // the first thread's, and those that have come since the last one

FRAME static void *
give(size_t bytes)
{
	void *block = malloc(bytes);
	use(block);
	return block;
}

FRAME static void *
give_deeper(size_t bytes)
{
	void *block = give(bytes);
	use(block);
	return block;
}

static void *
serve(void *unused)
{
	for (size_t bytes = 16; bytes <= 128; bytes += 16) {
		void *block = give(bytes);
		free(give_deeper(bytes));
		free(block);
	}
	pthread_barrier_wait(&step);
	pause();
	return unused;
}

// Pages that are nobody's file's, exactly, which RssAnon is not: the kernel adds that up when it
// likes.
static long
kilobytes_now(void)
{
	char line[256];
	long kilobytes = 0;
	FILE *file = fopen("/proc/self/smaps_rollup", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Anonymous: %ld", &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes;
}

void
host(void)
{
	pthread_t thread;
	pthread_attr_t small;
	int count = 0;

	if (!host_role()[0])
		return;
	// A stack that is one page of 2 MiB says nothing of what was touched.
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 << 10);
	printf("%ld", kilobytes_now());
	for (int i = 0; i < STEPS; i++) {
		pthread_barrier_init(&step, NULL, (unsigned)(alive[i] - count + 1));
		for (; count < alive[i]; count++)
			expect(pthread_create(&thread, &small, serve, NULL) == 0);
		pthread_barrier_wait(&step);
		pthread_barrier_destroy(&step); // once all have left it
		printf(" %ld", kilobytes_now());
	}
	printf("\n");
	fflush(stdout);
}

// What the process had before there were threads, and with each number of them.
static void
read_kilobytes(const char *name, long kilobytes[STEPS + 1])
{
	expect(sscanf(read_file(name), "%ld %ld %ld %ld", &kilobytes[0], &kilobytes[1], &kilobytes[2],
		&kilobytes[3]) == STEPS + 1);
}

void
check(const struct logfile *none)
{
	long without[STEPS + 1];
	long with[STEPS + 1];

	(void)none;
	expect_equal(run_again("without", false, "without"), 0);
	expect_equal(run_again("with", true, "with"), 0);
	read_kilobytes("without", without);
	read_kilobytes("with", with);
	for (int i = 0; i < STEPS; i++) {
		int threads = alive[i] - (i > 0 ? alive[i - 1] : 0);
		long each = (with[i + 1] - with[i] - without[i + 1] + without[i]) / threads;
		printf("figure: up to %d threads: %ld KiB for each more\n", alive[i], each);
		// Without the library there would be nothing.
		expect(each > 4 && each <= MOST);
	}
}
