// long
// pmem: -DPMEM_SAMPLE_BYTES=3000 -DPMEM_CHURN_THRESH=200000
// on each allocator
// Where blocks are sampled, what is allocated by any function, resized, handed from thread to
// thread and freed leaves no source with anything; and the process's bytes and calls in all are
// exact, whatever was chosen, also in a forked child.

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { THREADS = 4, PLACES = 200, TURNS = 20000 };

struct sums {
	uint64_t bytes, allocs, frees;
};

static void *places[PLACES]; // atomic
static struct sums all[THREADS];

FRAME void *
allocate(unsigned how, size_t bytes)
{
	void *block = NULL;
	switch (how % 5) {
	case 0: return malloc(bytes);
	case 1: return calloc(1, bytes);
	case 2: return aligned_alloc(64, bytes);
	case 3: return posix_memalign(&block, 256, bytes) == 0 ? block : NULL;
	default: return realloc(NULL, bytes);
	}
}

static void
turn(struct sums *sums, unsigned random)
{
	size_t bytes = random >> 8 & 7 ? 1 + (random >> 11) % 400 : 1 + (random >> 11) % 20000;
	unsigned how = random >> 28;
	void *block = __atomic_exchange_n(&places[random % PLACES], NULL, __ATOMIC_ACQ_REL);

	if (block && how < 6) {
		block = realloc(block, bytes);
		sums->frees++;
	} else {
		sums->frees += block != NULL;
		free(block);
		if (how % 5 == 2)
			bytes = (bytes + 63) & ~(size_t)63;
		block = allocate(how, bytes);
	}
	sums->allocs++;
	sums->bytes += bytes;
	memset(block, 0xff, malloc_usable_size(block));
	block = __atomic_exchange_n(&places[random / 3 % PLACES], block, __ATOMIC_ACQ_REL);
	sums->frees += block != NULL;
	free(block);
}

static void
work(struct sums *sums, int turns)
{
	uint64_t random = (uint64_t)(sums - all) * 77 + (uint64_t)turns;
	for (int i = 0; i < turns; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		turn(sums, (unsigned)(random >> 32));
	}
}

static int turns;

static void *
thread(void *sums)
{
	work(sums, turns);
	return NULL;
}

static void
end(struct sums *sums)
{
	for (int i = 0; i < PLACES; i++) {
		sums->frees += places[i] != NULL;
		free(places[i]);
		places[i] = NULL;
	}
}

static void
tell(const char *path)
{
	FILE *file = fopen(path, "w");
	struct sums sum = {0};
	for (int i = 0; i < THREADS; i++) {
		sum.bytes += all[i].bytes;
		sum.allocs += all[i].allocs;
		sum.frees += all[i].frees;
	}
	fprintf(file, "%lu %lu %lu\n", (unsigned long)sum.bytes, (unsigned long)sum.allocs,
		(unsigned long)sum.frees);
	fclose(file);
}

static void
run(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, &all[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	tell("parent");
	// So large that it is chosen: who has counted nothing leaves no log.
	use(malloc(100000));
	pid_t child = fork();
	if (child == 0) {
		use(malloc(100000));
		work(&all[0], turns / 4);
		end(&all[0]);
		tell("child");
		exit(0);
	}
	FILE *file = fopen("pid", "w");
	fprintf(file, "%d\n", (int)child);
	fclose(file);
	waitpid(child, NULL, 0);
	end(&all[0]);
	tell("parent");
}

void
host(void)
{
	turns = strcmp(host_role(), "nothing") == 0 ? 0 : TURNS;
	run();
}

// Reads the log of the child that the last run told of.
static void
read_childs_log(struct logfile *log)
{
	char path[64];
	char *pid = read_file("pid");
	snprintf(path, sizeof(path), "pmem.%d.log", atoi(pid));
	free(pid);
	read_log(log, path);
}

static struct sums
told(const char *path)
{
	unsigned long bytes, allocs, frees;
	char *text = read_file(path);
	expect(sscanf(text, "%lu %lu %lu", &bytes, &allocs, &frees) == 3);
	free(text);
	return (struct sums){bytes, allocs, frees};
}

static void
check_exact(const struct logfile *log, const struct logfile *idle, const struct sums *sums)
{
	const struct log_counts *is = &log_last(log)->exact;
	const struct log_counts *was = &log_last(idle)->exact;
	expect_equal(is->alloc - was->alloc, sums->bytes);
	expect_equal(is->allocs - was->allocs, sums->allocs);
	expect_equal(is->frees - was->frees, sums->frees);
}

static void
check_empty(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *entry = &last->entries[i];
		const char *frame = entry->depth > 1 ? entry->frames[1] : "";
		if (!strstr(frame, "(allocate+") && !strstr(frame, "(turn+"))
			continue;
		expect_equal(entry->counts.live, 0);
		expect_equal(entry->counts.blocks, 0);
		expect_equal(entry->counts.allocs, entry->counts.frees);
	}
	expect(last->total.alloc > log->snapshots[0].threshold);
}

void
check(const struct logfile *log)
{
	struct logfile childs, idle, idle_childs;
	struct sums parent_sums = told("parent");
	struct sums child_sums = told("child");

	read_childs_log(&childs);
	expect(run_again("nothing", true, NULL) == 0);
	read_log_of(&idle, again_pid);
	read_childs_log(&idle_childs);
	check_exact(log, &idle, &parent_sums);
	check_exact(&childs, &idle_childs, &child_sums);
	check_empty(log);
	check_empty(&childs);
}
