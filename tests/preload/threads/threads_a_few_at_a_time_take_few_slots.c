// of a kernel
// Four hundred threads, four at a time, as of a server that has one for each connection, take
// hardly more of our memory than the first four.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"
#include "manystacks.h"

enum { TOGETHER = 4, ROUNDS = 100, SOURCES = 1500, KILOBYTES = 3 << 10 };

static void *
serve(void *unused)
{
	for (unsigned i = 0; i < SOURCES; i++)
		free(left(14, i));
	return unused;
}

static void
serve_all(void)
{
	pthread_t threads[TOGETHER];

	for (int i = 0; i < TOGETHER; i++)
		expect(pthread_create(&threads[i], NULL, serve, NULL) == 0);
	for (int i = 0; i < TOGETHER; i++)
		pthread_join(threads[i], NULL);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	serve_all();
	printf("%lu ", (unsigned long)status_kilobytes("RssAnon"));
	for (int i = 0; i < ROUNDS; i++)
		serve_all();
	printf("%lu\n", (unsigned long)status_kilobytes("RssAnon"));
}

static long
growth(const char *name)
{
	long first;
	long last;

	expect(sscanf(read_file(name), "%ld %ld", &first, &last) == 2);
	return last - first;
}

void
check(const struct logfile *none)
{
	(void)none;
	expect_equal(run_again("without", false, "without"), 0);
	expect_equal(run_again("with", true, "with"), 0);
	long kilobytes = growth("with") - growth("without");
	printf("figure: %ld KiB behind %d more threads\n", kilobytes, ROUNDS * TOGETHER);
	expect(kilobytes < KILOBYTES);
}
