// of glibc
// Thread stacks, freed memory that arenas keep, mapped files and shared memory are resident,
// but not live: live= has what was asked of malloc and not freed, to the byte. Files and
// shared memory are told apart, in file=.

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "host.h"
#include "statm.h"

enum { THREADS = 8, BLOCKS = 500, BYTES = 20000 };
static pthread_barrier_t stacks_used, done;

FRAME void leak(void) { use(malloc(12345)); }

FRAME void *
arena(void)
{
	return memset(malloc(BYTES), 'x', BYTES);
}

static void *
thread(void *unused)
{
	char stack[2 * MIB];
	void *blocks[BLOCKS];

	use(memset(stack, 'x', sizeof(stack)));
	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = arena();
	// One left at its end keeps the arena as large as it was.
	for (int i = 0; i < BLOCKS - 1; i++)
		free(blocks[i]);
	pthread_barrier_wait(&stacks_used);
	pthread_barrier_wait(&done);
	return unused;
}

void
host(void)
{
	pthread_t threads[THREADS];

	mallopt(M_ARENA_MAX, THREADS);
	pthread_barrier_init(&stacks_used, NULL, THREADS + 1);
	pthread_barrier_init(&done, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	int fd = open("file", O_RDWR | O_CREAT, 0600);
	expect(ftruncate(fd, 32 * MIB) == 0);
	memset(mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), 'x', 32 * MIB);
	memset(mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 'x',
		32 * MIB);
	pthread_barrier_wait(&stacks_used);
	leak();
	expect(statm_rss() > 150 * MIB);
	// Now: the threads hold their stacks, and are not waited for.
	exit(0);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect_equal(log_from(last, "leak")->counts.live, 12345);
	expect_equal(log_from(last, "arena")->counts.live, THREADS * BYTES);
	expect_equal(log_from(last, "arena")->counts.blocks, THREADS);
	// What starting the threads took: of the loader, which has another name on s390x, and of libc.
	uint64_t started = log_sum(last, "/ld-linux").live + log_sum(last, "/ld64.so").live
		+ log_sum(last, "/libc.so").live;
	expect_equal(last->total.live, 12345 + THREADS * BYTES + started);
	expect(started < 100000);
	uint64_t late = statm_late(THREADS + 1);
	expect(last->file + late >= 64 * MIB && last->file < 80 * MIB + late);
	expect(last->outside - last->file + late >= THREADS * (2 * MIB + (BLOCKS - 10) * BYTES));
	expect(last->malloc == 0);
	printf("figure: of %lu MiB resident %lu KiB are live, %lu MiB of files\n",
		(unsigned long)(last->rss / MIB), (unsigned long)(last->total.live >> 10),
		(unsigned long)(last->file / MIB));
}
