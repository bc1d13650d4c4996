// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// of glibc
// A constructor runs under the loader's lock. It waits for another thread, which allocates
// from new places and writes snapshots with new names: no deadlock. Constructors and
// destructors that allocate are counted.

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

FRAME void *new_place_1(void) { void *p = malloc(11); use(p); return p; }
FRAME void *new_place_2(void) { void *p = malloc(12); use(p); return p; }
FRAME void *new_place_3(void) { void *p = malloc(13); use(p); return p; }

static void *
allocate(void *unused)
{
	use(new_place_1());
	use(new_place_2());
	use(new_place_3());
	return unused;
}

// Called by the plug-in's constructor and destructor.
__attribute__((visibility("default"))) void
wait_for_a_thread(void)
{
	pthread_t thread;
	expect(pthread_create(&thread, NULL, allocate, NULL) == 0);
	pthread_join(thread, NULL);
}

void
host(void)
{
	FILE *source = fopen("plugin.c", "w");
	fputs("#include <stdlib.h>\nextern void wait_for_a_thread(void); void *kept;\n"
		"__attribute__((constructor)) void up(void)"
		" { kept = malloc(1000); wait_for_a_thread(); }\n"
		"__attribute__((destructor)) void down(void)"
		" { free(kept); wait_for_a_thread(); kept = malloc(50); }\n", source);
	fclose(source);
	unsetenv("LD_PRELOAD");
	expect(system("${CC:-gcc} -shared -fPIC -fno-builtin -O1 -o plugin.so plugin.c") == 0);
	alarm(100);
	for (int i = 0; i < 20; i++) {
		void *plugin = dlopen("./plugin.so", RTLD_NOW);
		expect(plugin != NULL);
		dlclose(plugin);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect(log->snapshot_count > 100);
	expect_equal(log_from(last, "new_place_1")->counts.allocs, 40);
	expect_equal(log_from(last, "new_place_3")->counts.live, 40 * 13);
	expect_equal(log_sum(last, "plugin.so(down+").live, 20 * 50);
}
