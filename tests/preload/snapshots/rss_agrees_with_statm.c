// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// A block's rss= is what the program itself reads from statm just before and after, up to
// what the kernel counts late (src/lib/log/rss.h); also when its first thread has ended.

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "host.h"
#include "statm.h"

enum { BLOCKS = 40 };
static FILE *readings;

// One line a block.
static void
read_around(void)
{
	uint64_t before = statm_rss();
	use(malloc(5000));
	fprintf(readings, "%" PRIu64 " %" PRIu64 "\n", before, statm_rss());
}

static void *
after_main(void *main_thread)
{
	pthread_join(*(pthread_t *)main_thread, NULL);
	mapped(50 * MIB);
	for (int i = 0; i < BLOCKS / 2; i++)
		read_around();
	fclose(readings);
	exit(0);
}

void
host(void)
{
	static char buffer[BLOCKS * 50];
	static pthread_t main_thread;
	pthread_t other;
	void *held = NULL;

	// What pthread_exit() would load in the middle.
	dlopen("libgcc_s.so.1", RTLD_NOW);
	readings = fopen("readings", "w");
	setbuffer(readings, buffer, sizeof(buffer));
	// Blocks of starting it come before those of the readings.
	main_thread = pthread_self();
	for (int i = 0; i < BLOCKS / 2; i++) {
		if (i % 3 == 2)
			munmap(held, 7 * MIB);
		else
			held = mapped(7 * MIB);
		read_around();
	}
	pthread_create(&other, NULL, after_main, &main_thread);
	pthread_exit(NULL);
}

void
check(const struct logfile *log)
{
	FILE *file = fopen("readings", "r");
	uint64_t before, after;
	uint64_t worst = 0;
	int count = 0;

	// Before the readings, and at the exit.
	int first = (int)log->snapshot_count - BLOCKS - 1;
	expect(first >= 0 && first < 3);
	while (fscanf(file, "%" SCNu64 " %" SCNu64, &before, &after) == 2) {
		const struct log_snapshot *snapshot = &log->snapshots[first + count++];
		uint64_t low = before < after ? before : after;
		uint64_t high = before < after ? after : before;
		expect(snapshot->has_memory);
		uint64_t apart = snapshot->rss < low ? low - snapshot->rss
			: snapshot->rss > high ? snapshot->rss - high : 0;
		worst = apart > worst ? apart : worst;
		expect(apart <= statm_late(2));
	}
	expect_equal((uint64_t)count, BLOCKS);
	printf("figure: %d readings, rss= at most %" PRIu64 " bytes apart, %" PRIu64 " allowed\n",
		count, worst, statm_late(2));
}
