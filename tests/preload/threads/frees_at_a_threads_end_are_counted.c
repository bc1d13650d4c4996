// long
// on each allocator
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=16
// of glibc
// A thread's last calls: in destructors of its keys and of its C++ variables, which run when
// much of it is gone already. Each is counted, in its own slot or another's.

#include <pthread.h>
#include <stdlib.h>

#include "host.h"

enum { THREADS = 3000, ROUNDS = 3 };
static pthread_key_t key;

// Itanium C++ ABI: what `thread_local` objects with destructors call.
extern int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso);
extern void *__dso_handle __attribute__((visibility("hidden")));

FRAME void *kept(void) { void *block = malloc(100); use(block); return block; }
FRAME void *last_one(void) { void *block = malloc(3); use(block); return block; }

// Called again as long as it leaves something behind (POSIX, pthread_key_create()).
FRAME void at_end_of_key(void *block)
{
	static __thread int round;
	free(block);
	if (++round < ROUNDS)
		pthread_setspecific(key, kept());
	else
		last_one();
}

FRAME void at_end_of_variable(void *block) { free(block); free(kept()); }

FRAME void *thread(void *unused)
{
	pthread_setspecific(key, kept());
	__cxa_thread_atexit_impl(at_end_of_variable, kept(), &__dso_handle);
	return unused;
}

void
host(void)
{
	pthread_key_create(&key, at_end_of_key);
	for (int i = 0; i < THREADS; i += 2) {
		pthread_t threads[2];
		pthread_create(&threads[0], NULL, thread, NULL);
		pthread_create(&threads[1], NULL, thread, NULL);
		pthread_join(threads[0], NULL);
		pthread_join(threads[1], NULL);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_source *held = log_from(last, "last_one");
	printf("figure: %d threads ended, %lu allocations\n", THREADS,
		(unsigned long)last->total.allocs);
	expect_equal(held->counts.allocs, THREADS);
	expect_equal(held->counts.live, 3 * THREADS);
	expect(log_from(last, "kept") == NULL);
	expect(last->total.allocs >= THREADS * (ROUNDS + 3));
	expect(last->total.live - held->counts.live < 100000);
	expect_equal(log_loss(last, "slots_shared") + log_loss(last, "untracked_frees"), 0);
}
