// of glibc
// A thread that stays on the loader's list right after a library went, so that nobody can look
// what is gone: the first allocation waits for it a moment, and no other does.

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host.h"

enum { PAIRS = 5000 };
static int asked, inside, done;

FRAME void pair(void) { use(malloc(10)); free(calloc(1, 10)); }

static int
stay(struct dl_phdr_info *loaded, size_t bytes, void *unused)
{
	(void)loaded, (void)bytes, (void)unused;
	__atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		usleep(1000);
	return 1;
}

static void *
visit(void *unused)
{
	while (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE))
		usleep(100);
	dl_iterate_phdr(stay, NULL);
	return unused;
}

// How often the calling thread has slept.
static long
sleeps(void)
{
	struct rusage usage;
	expect(getrusage(RUSAGE_THREAD, &usage) == 0);
	return usage.ru_nvcsw;
}

void
host(void)
{
	pthread_t thread;
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	if (!plugin) {
		unsetenv("LD_PRELOAD");
		build_c("plugin.so", "-shared -fPIC -fno-builtin",
			"#include <stdlib.h>\nvoid call(void) { free(malloc(20)); }");
		plugin = dlopen("./plugin.so", RTLD_NOW);
	}
	expect(plugin != NULL);
	((void (*)(void))dlsym(plugin, "call"))();
	expect(pthread_create(&thread, NULL, visit, NULL) == 0);
	expect(dlclose(plugin) == 0);
	__atomic_store_n(&asked, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE))
		usleep(100);

	long before = sleeps();
	pair();
	long once = sleeps() - before;
	for (int i = 0; i < PAIRS; i++)
		pair();
	long later = sleeps() - before - once;
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	pair();
	fprintf(stderr, "%ld sleeps in the first pair, %ld in %d more\n", once, later, PAIRS);
	expect(once > 10 && later < PAIRS / 10);
}

void
check(const struct logfile *log)
{
	expect_equal(log_sum(log_last(log), "(pair+").blocks, PAIRS + 2);
}
