// on each allocator
// pmem_label(): what a thread allocates counts under its label, whoever frees it, to the byte, in
// lines of the log and by pmem_source_at(); a source stays one, with the id that it has without
// labels. A thread that says none has none, a forked child goes on with its label, and what cannot
// be a label is refused.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmem.h"
#include "host.h"

enum { THREADS = 4, ROUNDS = 200 };
static pthread_barrier_t barrier;
static void *given[THREADS][ROUNDS];

FRAME void *serve(size_t bytes) { return malloc(bytes); }
FRAME void *serve_deep(int depth, size_t bytes)
{
	void *block = depth > 0 ? serve_deep(depth - 1, bytes) : serve(bytes);
	use(&depth);
	return block;
}

// Two tenants by turns: each holds half of what it allocates, the next thread frees the rest.
static void *
thread(void *argument)
{
	int self = (int)(intptr_t)argument;

	for (int i = 0; i < ROUNDS; i++) {
		int number = pmem_label(i % 2 ? "odd" : "even \xc3\xa4");
		expect(number > 0 && number < 4);
		given[self][i] = serve_deep(i % 5, i % 2 ? 10 : 1000);
		use(given[self][i]);
	}
	expect(pmem_label(NULL) == 0);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < ROUNDS / 2; i++)
		free(given[(self + 1) % THREADS][i]);
	free(serve(7));
	pthread_barrier_wait(&barrier);
	return NULL;
}

// What the API says of a label, over all sources.
static void
expect_label(const char *name, long long live, unsigned long long allocs)
{
	struct pmem_source source;
	char label[PMEM_LABEL_BYTES + 1];
	unsigned long long sum = 0;
	long long sum_live = 0;

	for (long number = 0; number < pmem_sources(); number++) {
		if (pmem_source_at(number, &source, NULL, 0) <= 0 || source.label == 0)
			continue;
		expect(pmem_label_name(source.label, label, sizeof(label)) == (int)strlen(label));
		if (strcmp(label, name) != 0)
			continue;
		sum += source.allocs;
		sum_live += source.live;
	}
	expect_equal(sum, allocs);
	expect_equal((uint64_t)sum_live, (uint64_t)live);
}

static void
refusals(void)
{
	char name[PMEM_LABEL_BYTES + 1];

	expect(pmem_label("") == PMEM_INVALID && pmem_label("a\nb") == PMEM_INVALID);
	expect(pmem_label_name(0, name, sizeof(name)) == PMEM_INVALID);
	expect(pmem_label_name(99, name, sizeof(name)) == PMEM_INVALID);
	expect(pmem_label_name(1, NULL, 10) == PMEM_INVALID && pmem_label_name(1, name, 2) == PMEM_NO_ROOM);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "label %d", i);
		int number = pmem_label(name);
		expect(number == PMEM_NO_ROOM ? i > 200 : number == i + 4);
	}
	use(serve(3)); // has none
}

static void
in_child(void)
{
	use(serve(50));
	expect(pmem_label("child") > 0);
	use(serve(60));
	expect(pmem_snapshot("child") == 0);
	_exit(0);
}

void
host(void)
{
	pthread_t threads[THREADS];

	use(serve_deep(1, 100));
	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i) == 0);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < THREADS; i++)
		expect(pthread_join(threads[i], NULL) == 0);
	expect_label("odd", THREADS * ROUNDS / 4 * 10, THREADS * ROUNDS / 2);
	expect_label("even \xc3\xa4", THREADS * ROUNDS / 4 * 1000, THREADS * ROUNDS / 2);
	expect(pmem_label("odd") > 0);
	use(serve_deep(1, 200));
	long shown = pmem_snapshot("shown");
	expect(shown >= 0);
	pid_t child = fork();
	if (child == 0)
		in_child();
	int status = -1;
	char path[32];
	snprintf(path, sizeof(path), "pmem.%d.log", child);
	expect(waitpid(child, &status, 0) == child && status == 0 && symlink(path, "child.log") == 0);
	expect(pmem_label("third") == 3);
	refusals();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *snapshot = log->snapshots;
	struct logfile child;

	while (strcmp(snapshot->label, "shown") != 0)
		snapshot++;
	const struct log_counts *odd = &log_label(snapshot, "odd")->counts;
	const struct log_counts *even = &log_label(snapshot, "even\\x20\\xc3\\xa4")->counts;
	expect_equal(even->live, THREADS * ROUNDS / 4 * 1000);
	expect_equal(even->blocks, THREADS * ROUNDS / 4);
	expect_equal(even->frees, THREADS * ROUNDS / 4);
	expect_equal(odd->live, THREADS * ROUNDS / 4 * 10 + 200);
	expect_equal(odd->allocs, THREADS * ROUNDS / 2 + 1);
	expect_equal(log_sum(snapshot, "(serve+").live, even->live + odd->live + 100);
	expect_equal(log_sum(snapshot, "(serve+").allocs, THREADS * (ROUNDS + 1) + 2);
	// What host() has without a label and with one are of two lines of it.
	for (int i = 0; i < snapshot->entry_count; i++)
		for (int k = 0; k < i; k++)
			expect(strcmp(snapshot->entries[i].id, snapshot->entries[k].id) != 0);
	expect_equal(log_loss(snapshot, "labels_full"), 0);
	read_log(&child, "child.log");
	expect_equal(log_label(&child.snapshots[0], "odd")->counts.alloc_more, 50);
	expect_equal(log_label(&child.snapshots[0], "child")->counts.live, 60);
	expect_equal(log_sum(log_last(log), "(serve+").live,
		log_sum(snapshot, "(serve+").live + 3);
	expect_equal(log_loss(log_last(log), "untracked_frees"), 0);
}
