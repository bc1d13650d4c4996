// long
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// One thread unloads libraries while others allocate and write snapshots: nobody reads what is
// no longer mapped, and a library is never taken for the one that lay at its address before.

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { THREADS = 10, ROUNDS = 700 };
static int done;

static void
make_plugin(const char *name)
{
	char command[512];
	snprintf(command, sizeof(command), "echo '#include <stdlib.h>\nvoid *take(void) "
		"{ void *p = malloc(50); return p; }' >plugin.c && "
		"${CC:-gcc} -O0 -shared -fPIC -o %s.so plugin.c", name);
	expect(system(command) == 0);
}

static void *
churn(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
		free(malloc(100));
	return unused;
}

static void *
call(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	expect(plugin != NULL);
	void *(*take)(void) = (void *(*)(void))dlsym(plugin, "take");
	use(take());
	return plugin;
}

void
host(void)
{
	pthread_t threads[THREADS];

	if (access("./a.so", F_OK) != 0) {
		unsetenv("LD_PRELOAD");
		make_plugin("a");
		make_plugin("b");
	}
	for (int i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, churn, NULL) == 0);
	for (int i = 0; i < ROUNDS; i++) {
		void *first = call(i % 2 ? "./a.so" : "./b.so");
		void *second = call(i % 2 ? "./b.so" : "./a.so");
		dlclose(first);
		dlclose(second);
		if (i % 4 == 0)
			usleep(200);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

void
check(const struct logfile *log)
{
	printf("figure: %d unloads, %d blocks\n", 2 * ROUNDS, log->snapshot_count);
	expect_equal(log_sum(log_last(log), "/a.so(").blocks, ROUNDS);
	expect_equal(log_sum(log_last(log), "/b.so(").blocks, ROUNDS);
}
