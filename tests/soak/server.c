// soak: a server as hostile to a profiler as can be, with its own account of every block. As
// `soak server JUDGE SECONDS SEED` it runs under the library: workers that hand blocks to each
// other, threads that come and go, a thread that forks, one that loads and unloads libraries,
// one that sends signals. JUDGE is the descriptor that reports go to; its folder gets the
// file `final`. With SOAK_HANDLERS in the environment, handlers allocate.

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "children.h"

enum { WORKERS = 12, SHELF = 4096, SHORT_ALIVE = 6, SHORT_STEPS = 40, OPS = 12, PLACES = 4096 };

// Workers hand each other blocks through it.
static void *shelf[SHELF];
static struct final final;
static bool ending, handlers_allocate;
static pthread_t workers[WORKERS];
static int workers_ready;
static uint64_t first_seed;

static _Thread_local sigjmp_buf jump_out;
static _Thread_local volatile sig_atomic_t may_jump;

static void count(uint64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }
static bool is_ending(void) { return __atomic_load_n(&ending, __ATOMIC_RELAXED); }

#define FRAME __attribute__((noinline))
FRAME void *worker_malloc(size_t n) { return book_alloc(SITE_MALLOC, malloc(n), n); }
FRAME void *worker_calloc(size_t n) { return book_alloc(SITE_CALLOC, calloc(1, n), n); }
FRAME void *worker_memalign(size_t n) { return book_alloc(SITE_MEMALIGN, memalign(64, n), n); }
FRAME void *worker_realloc(void *old, size_t n) { return book_realloc(SITE_REALLOC, old, n); }
FRAME void *worker_deep(size_t n, int depth)
{
	return depth ? worker_deep(n, depth - 1) : book_alloc(SITE_DEEP, malloc(n), n);
}

static void *
from_shelf(uint32_t number, void *block)
{
	return __atomic_exchange_n(&shelf[number % SHELF], block, __ATOMIC_ACQ_REL);
}

static FRAME void *
worker_step(int op, uint64_t *seed)
{
	static const int depths[OPS] = {[4] = 0, 2, 5, 11, 23, 47, 61, 90};
	size_t bytes = random_size(seed);

	switch (op) {
	case 0: return worker_malloc(bytes);
	case 1: return worker_calloc(bytes);
	case 2: return worker_memalign(bytes);
	case 3: return worker_realloc(from_shelf(next_random(seed), NULL), bytes);
	}
	return worker_deep(bytes, depths[op]);
}

// Each source keeps its first block to the end: what holds nothing is not in the last block.
static FRAME void
worker_steps(bool *pinned, uint64_t *seed, int steps)
{
	for (int i = 0; i < steps; i++) {
		uint32_t number = next_random(seed);
		void *block = worker_step(number % OPS, seed);
		if (__atomic_exchange_n(&pinned[number % OPS], true, __ATOMIC_RELAXED))
			book_free(from_shelf(number / OPS, block));
	}
}

// Waits for a signal whose handler jumps out of it, not for ever. No allocator is on the way.
static void
be_jumped(void)
{
	if (sigsetjmp(jump_out, 1) == 0) {
		may_jump = 1;
		for (int i = 0; i < 100 && may_jump; i++)
			sched_yield();
		may_jump = 0;
	}
}

static void *
worker_main(void *number)
{
	static bool pinned[OPS];
	uint64_t seed = first_seed * 1000 + (uintptr_t)number;
	stack_t alternate = {.ss_sp = malloc(65536), .ss_size = 65536};

	sigaltstack(&alternate, NULL);
	__atomic_fetch_add(&workers_ready, 1, __ATOMIC_RELEASE);
	while (!is_ending()) {
		worker_steps(pinned, &seed, 500);
		be_jumped();
	}
	alternate.ss_flags = SS_DISABLE;
	sigaltstack(&alternate, NULL);
	return alternate.ss_sp;
}

static void *
short_main(void *seed_at)
{
	static bool pinned[OPS];
	uint64_t seed = (uintptr_t)seed_at;
	worker_steps(pinned, &seed, SHORT_STEPS);
	return NULL;
}

static void *
starter_main(void *unused)
{
	pthread_t alive[SHORT_ALIVE];
	uint64_t seed = first_seed + 77;

	while (!is_ending()) {
		for (int i = 0; i < SHORT_ALIVE; i++) {
			void *number = (void *)(uintptr_t)next_random(&seed);
			if (pthread_create(&alive[i], NULL, short_main, number))
				abort();
			count(&final.threads);
		}
		for (int i = 0; i < SHORT_ALIVE; i++)
			pthread_join(alive[i], NULL);
		usleep(2000);
	}
	return unused;
}

static void *
forker_main(void *unused)
{
	while (!is_ending())
		children_next();
	return unused;
}

bool plugin_is_new(enum site site, const void *place);

bool
plugin_is_new(enum site site, const void *place)
{
	static struct { enum site site; const void *place; } known[PLACES];
	static int known_count;
	for (int i = 0; i < known_count; i++) {
		if (known[i].site == site && known[i].place == place)
			return false;
	}
	if (known_count == PLACES)
		abort();
	known[known_count].site = site;
	known[known_count++].place = place;
	final.places = (uint64_t)known_count;
	return true;
}

static void *
loader_main(void *unused)
{
	uint64_t seed = first_seed + 99;
	char path[32];

	while (!is_ending()) {
		void *open[2];
		pthread_mutex_lock(&loader_quiet);
		for (int i = 0; i < 2; i++) {
			snprintf(path, sizeof(path), "./plugin%d.so", (int)(next_random(&seed) % PLUGINS));
			open[i] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
			void (*work)(uint64_t) = (void (*)(uint64_t))dlsym(open[i], "plugin_work");
			work(seed);
			count(&final.dlopens);
		}
		for (int i = 0; i < 2; i++)
			dlclose(open[i]);
		pthread_mutex_unlock(&loader_quiet);
		usleep(500);
	}
	return unused;
}

FRAME void
handler(int number)
{
	count(&final.signals);
	if (may_jump) {
		may_jump = 0;
		count(&final.jumps);
		siglongjmp(jump_out, 1);
	}
	if (!handlers_allocate)
		return;
	void *block = book_alloc(SITE_HANDLER, malloc(50), 50);
	block = book_realloc(SITE_HANDLER, block, 1000 + (size_t)number);
	book_free(block);
}

static void *
signaller_main(void *unused)
{
	uint64_t seed = first_seed + 55;
	while (!is_ending()) {
		pthread_kill(workers[next_random(&seed) % WORKERS], SIGUSR1);
		usleep(100);
	}
	return unused;
}

static int
descriptors(void)
{
	int found = 0;
	for (int fd = 0; fd < 1024; fd++)
		found += fcntl(fd, F_GETFD) >= 0;
	return found;
}

static int
is_library(struct dl_phdr_info *info, size_t size, void *range)
{
	(void)size;
	uintptr_t *span = range;
	if (!strstr(info->dlpi_name, "libpmem.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			span[1] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
	}
	span[0] = info->dlpi_addr;
	return 1;
}

// Bytes of the library's image that are in memory: all its tables but the threads' slots.
static uint64_t
library_resident(void)
{
	uintptr_t span[2] = {0, 0}, start, end;
	uint64_t resident = 0, kilobytes;
	bool inside = false;
	char line[512];

	dl_iterate_phdr(is_library, span);
	FILE *maps = fopen("/proc/self/smaps", "r");
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			inside = start >= span[0] && start < span[1];
		else if (inside && sscanf(line, "Rss: %lu", &kilobytes) == 1)
			resident += kilobytes * 1024;
	}
	if (maps)
		fclose(maps);
	return resident;
}

static void
write_final(void)
{
	void (*beneath)(struct book *) = (void (*)(struct book *))dlsym(RTLD_DEFAULT, "beneath_counts");
	int fd = open("final", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	final.forks = children_forked();
	final.corrupted = books_corrupted;
	books_copy(final.books);
	final.counted_beneath = beneath != NULL;
	if (beneath)
		beneath(&final.beneath);
	if (write(fd, &final, sizeof(final)) != sizeof(final))
		abort();
	close(fd);
}

static void
serve(double seconds)
{
	static void *(*const others[])(void *) = {starter_main, forker_main, loader_main, signaller_main};
	enum { OTHERS = sizeof(others) / sizeof(*others) };
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
	struct timespec third = {(time_t)(seconds / 3), (long)(seconds / 3 * 1e9) % 1000000000};
	pthread_t threads[OTHERS];
	void *stack;

	sigaction(SIGUSR1, &action, NULL);
	final.descriptors_before = descriptors();
	for (uintptr_t i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, worker_main, (void *)(i + 1));
	while (__atomic_load_n(&workers_ready, __ATOMIC_ACQUIRE) < WORKERS)
		sched_yield();
	for (int i = 0; i < OTHERS; i++)
		pthread_create(&threads[i], NULL, others[i], NULL);

	nanosleep(&third, NULL);
	final.resident_before = library_resident();
	nanosleep(&third, NULL);
	nanosleep(&third, NULL);
	__atomic_store_n(&ending, true, __ATOMIC_RELAXED);
	for (int i = 0; i < OTHERS; i++)
		pthread_join(threads[OTHERS - 1 - i], NULL);
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(workers[i], &stack);
		free(stack);
	}
	final.resident_after = library_resident();
	final.descriptors_after = descriptors();
}

int
main(int argc, char **argv)
{
	struct rlimit none = {0, 0};
	if (argc == 4 && strcmp(argv[1], "again") == 0)
		children_again(atoi(argv[2]), strtoul(argv[3], NULL, 10));
	if (argc != 5)
		return 2;
	setrlimit(RLIMIT_CORE, &none);
	first_seed = strtoul(argv[4], NULL, 10);
	handlers_allocate = getenv("SOAK_HANDLERS") != NULL;
	children_start(atoi(argv[2]), first_seed);
	if (atof(argv[3]) > 0)
		serve(atof(argv[3]));
	else
		worker_malloc(1000);
	write_final();
	return 0;
}
