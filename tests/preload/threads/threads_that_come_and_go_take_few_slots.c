// of a kernel
// Three thousand threads one after the other, beside some that stay, take hardly more of our
// memory than were there at a time; five hundred at a time have a slot each, of less than 64 KiB
// that are touched.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { STAYING = 50, BRIEF = 3000, MANY = 500, KILOBYTES = 8 << 10 };

static pthread_barrier_t all_there;
static pthread_barrier_t all_go;

FRAME void allocate(void)
{
	void *block = malloc(100);
	use(block);
	free(block);
}

static void *
stay(void *unused)
{
	allocate();
	pthread_barrier_wait(&all_there);
	pthread_barrier_wait(&all_go);
	return unused;
}

static void *
come_and_go(void *unused)
{
	allocate();
	return unused;
}

static pthread_t
started(void *(*body)(void *))
{
	pthread_attr_t small;
	pthread_t thread;

	expect(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 64 << 10) == 0);
	expect(pthread_create(&thread, &small, body, NULL) == 0);
	return thread;
}

static void
stay_at_a_time(pthread_t *threads, int count)
{
	pthread_barrier_init(&all_there, NULL, count + 1);
	pthread_barrier_init(&all_go, NULL, count + 1);
	for (int i = 0; i < count; i++)
		threads[i] = started(stay);
	pthread_barrier_wait(&all_there);
}

static void
let_go(pthread_t *threads, int count)
{
	pthread_barrier_wait(&all_go);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

void
host(void)
{
	static pthread_t threads[MANY];

	if (!host_role()[0])
		return;
	stay_at_a_time(threads, STAYING);
	for (int i = 0; i < BRIEF; i++)
		pthread_join(started(come_and_go), NULL);
	printf("%lu ", (unsigned long)status_kilobytes("RssAnon"));
	let_go(threads, STAYING);
	stay_at_a_time(threads, MANY);
	printf("%lu\n", (unsigned long)status_kilobytes("RssAnon"));
	let_go(threads, MANY);
}

void
check(const struct logfile *none)
{
	struct logfile log;
	long without[2];
	long with[2];

	(void)none;
	expect_equal(run_again("without", false, "without"), 0);
	expect_equal(run_again("with", true, "with"), 0);
	expect(sscanf(read_file("without"), "%ld %ld", &without[0], &without[1]) == 2);
	expect(sscanf(read_file("with"), "%ld %ld", &with[0], &with[1]) == 2);
	printf("figure: %ld KiB behind threads that came and went, %ld with %d at a time\n",
		with[0] - without[0], with[1] - without[1], MANY);
	expect(with[0] - without[0] < KILOBYTES);
	// The unwinder's share is the larger, where it is there.
	expect(with[1] - without[1] > MANY * (*getenv("TEST_UNWIND") ? 16 : 4));
	expect(with[1] - without[1] < MANY * 64);

	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	expect_equal(log_loss(last, "slots_shared"), 0);
	expect(last->total.allocs >= STAYING + BRIEF + MANY);
}
