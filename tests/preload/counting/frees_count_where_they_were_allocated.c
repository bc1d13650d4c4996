// on each allocator
// A block freed by another thread is taken off the source that allocated it, not off
// whoever frees.

#include <pthread.h>
#include <stdlib.h>

#include "host.h"

enum { COUNT = 20000 };
static void *blocks[COUNT];

FRAME void producer(void)
{
	for (int i = 0; i < COUNT; i++)
		blocks[i] = malloc(64);
}

FRAME void *consumer(void *unused)
{
	for (int i = 0; i < COUNT; i++) {
		if (i % 4)
			free(blocks[i]);
	}
	use(malloc(77));
	return unused;
}

void
host(void)
{
	pthread_t thread;
	producer();
	pthread_create(&thread, NULL, consumer, NULL);
	pthread_join(thread, NULL);
}

void
check(const struct logfile *log)
{
	const struct log_source *from = log_from(log_last(log), "producer");
	expect(from != NULL);
	expect_equal(from->counts.allocs, COUNT);
	expect_equal(from->counts.frees, COUNT / 4 * 3);
	expect_equal(from->counts.live, COUNT / 4 * 64);
	expect_equal(log_from(log_last(log), "consumer")->counts.live, 77);
}
