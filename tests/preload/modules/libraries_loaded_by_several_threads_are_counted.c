// on each allocator
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// of glibc
// Several threads load and unload libraries, which allocate in constructors and destructors,
// while others write snapshot after snapshot: nobody waits for ever, and all is counted where it
// belongs.

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum {
	LOADERS = 3,
	LOADS = 150,
};

static int loaders_left = LOADERS;

static void
make_plugin(int number)
{
	char command[256];
	FILE *source = fopen("plugin.c", "w");
	fprintf(source, "#include <stdlib.h>\nstatic void *held, *kept;\n"
		"__attribute__((constructor)) void up_%d(void)"
		" { held = malloc(100); kept = malloc(%d); }\n"
		"__attribute__((destructor)) void down_%d(void) { free(held); }\n"
		"void **keep_%d(void) { return &kept; }\n",
		number, 1000 + number, number, number);
	fclose(source);
	snprintf(command, sizeof(command),
		"${CC:-gcc} -shared -fPIC -fno-builtin -O1 -o plugin%d.so plugin.c", number);
	expect(system(command) == 0);
}

static void *
load(void *number)
{
	char name[32];
	snprintf(name, sizeof(name), "./plugin%d.so", (int)(uintptr_t)number);
	for (int i = 0; i < LOADS; i++) {
		void *plugin = dlopen(name, RTLD_NOW);
		expect(plugin != NULL);
		dlclose(plugin);
	}
	__atomic_fetch_sub(&loaders_left, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void *
churn(void *unused)
{
	while (__atomic_load_n(&loaders_left, __ATOMIC_ACQUIRE) > 0)
		free(realloc(malloc(500), 1000));
	return unused;
}

void
host(void)
{
	pthread_t threads[LOADERS + 2];

	unsetenv("LD_PRELOAD");
	for (int i = 0; i < LOADERS; i++)
		make_plugin(i);
	alarm(200);
	for (int i = 0; i < LOADERS + 2; i++)
		expect(pthread_create(&threads[i], NULL, i < LOADERS ? load : churn,
			       (void *)(uintptr_t)i) == 0);
	for (int i = 0; i < LOADERS + 2; i++)
		pthread_join(threads[i], NULL);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	char wanted[2][32];

	for (int number = 0; number < LOADERS; number++) {
		uint64_t live = 0;
		snprintf(wanted[0], sizeof(wanted[0]), "/plugin%d.so(", number);
		snprintf(wanted[1], sizeof(wanted[1]), "(up_%d+", number);
		for (int i = 0; i < last->entry_count; i++) {
			const struct log_source *entry = &last->entries[i];
			// A name that was not asked for before the object went is module and offset.
			if (entry->depth > 1 && strstr(entry->frames[1], wanted[0])) {
				live += entry->counts.live;
				expect(strstr(entry->frames[1], wanted[1])
					|| strstr(entry->frames[1], "(+0x"));
			}
		}
		expect_equal(live, (uint64_t)LOADS * (uint64_t)(1000 + number));
	}
	expect_equal(log_loss(last, "untracked_frees"), 0);
	expect_equal(log_loss(last, "modules_full"), 0);
	printf("figure: %d loads, %d blocks\n", LOADERS * LOADS, log->snapshot_count);
}
