// pairs DEPTH COUNT: COUNT times a free and a malloc, from four call sites in turn, whose
// stacks have DEPTH frames of the program and the C library's three. Nothing else happens: two
// counts differ by that alone. A thousand more come first. A sched_yield() before and after those
// that count tells a trace which they are. (tests/bench/pairs.c has a clock, and more shapes.)

#include <sched.h>
#include <stdlib.h>

static void *blocks[4];
static volatile int sink;

#define SITE(n) \
	static __attribute__((noinline)) void *site##n(void) \
	{ \
		void *block = malloc(40); \
		sink = n; \
		return block; \
	}
SITE(0)
SITE(1)
SITE(2)
SITE(3)

static __attribute__((noinline)) void *
descend(int depth, long i)
{
	void *block;
	if (depth > 0)
		block = descend(depth - 1, i);
	else if (i % 4 == 0)
		block = site0();
	else if (i % 4 == 1)
		block = site1();
	else
		block = i % 4 == 2 ? site2() : site3();
	sink = depth;
	return block;
}

int
main(int count, char **words)
{
	int depth = count == 3 ? atoi(words[1]) : 0;
	long pairs = count == 3 ? atol(words[2]) : 0;

	// main, descend and the site are three of them.
	if (depth < 3 || pairs < 1)
		return 2;
	// The first block of a page, one in many, is not like the others to some allocators.
	void *volatile first = malloc(40);
	for (long i = 0; i < pairs + 1000; i++) {
		if (i == 1000)
			sched_yield();
		free(blocks[i % 4]);
		blocks[i % 4] = descend(depth - 3, i);
	}
	sched_yield();
	free(first);
	return 0;
}
