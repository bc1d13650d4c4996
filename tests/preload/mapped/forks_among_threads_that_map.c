// of a kernel
// of glibc
// Children that are forked while other threads map and unmap go on, map what they need, and each has
// a log that adds up: their copy of the table is whole, or empty with a loss.

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { THREADS = 3, CHILDREN = 150, KIBI = 1 << 10 };

static volatile bool is_over;

static void *
turn(void *unused)
{
	while (!is_over) {
		char *at = mmap(NULL, 64 * KIBI, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		munmap(at + 16 * KIBI, 16 * KIBI);
		munmap(at, 64 * KIBI);
	}
	return unused;
}

__attribute__((noinline)) char *
keep(void)
{
	return mmap(NULL, 512 * KIBI, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void
host(void)
{
	pthread_t threads[THREADS];

	free(malloc(2000000));
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, turn, NULL);
	FILE *file = fopen("children", "w");
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();
		if (child == 0) {
			keep()[0] = 1;
			free(malloc(2000000));
			_exit(0);
		}
		int status = -1;
		expect(waitpid(child, &status, 0) == child && status == 0);
		fprintf(file, "%d\n", (int)child);
	}
	fclose(file);
	is_over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

void
check(const struct logfile *log)
{
	FILE *file = fopen("children", "r");
	int child, count = 0, missed = 0;

	expect_equal(log_last(log)->mapped.live, 0);
	expect_equal(log_loss(log_last(log), "mappings_missed"), 0);
	while (fscanf(file, "%d", &child) == 1) {
		struct logfile childs;
		read_log_of(&childs, child);
		const struct log_source *kept = log_mapped_by(&childs.snapshots[0], "keep");
		expect(kept && kept->counts.live == 512 * KIBI);
		missed += log_loss(log_last(&childs), "mappings_missed") > 0;
		count++;
	}
	expect_equal((uint64_t)count, CHILDREN);
	printf("figure: %d of %d children began with an empty table\n", missed, CHILDREN);
}
