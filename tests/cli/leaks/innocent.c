// innocent: thirty functions that each hold memory, now more, now less, and all of it
// accounted for. With an argument planted() forgets a block in every fifth round.

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct held {
	void *blocks[200];
	int count;
};

static struct held all[30];
static unsigned long long state = 1;

static int
chance(int of)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (int)((state >> 33) % (unsigned)of);
}

static void
forget_one(struct held *held)
{
	if (held->count > 0)
		free(held->blocks[--held->count]);
}

// Around a number that goes up and down as the load does.
static inline __attribute__((always_inline)) void
follow_load(struct held *held, int which, int round)
{
	double wave = (1 + sin(round / (30.0 + which * 3))) / 2;
	int load = 20 + which + (int)((20 + which) * wave) + chance(10);
	if (held->count < load)
		held->blocks[held->count++] = malloc((size_t)(16 + chance(200)));
	else
		forget_one(held);
}

// All at once when there are sixty.
static inline __attribute__((always_inline)) void
collect(struct held *held, int which)
{
	while (held->count >= 60)
		for (int i = 0; i < 60; i++)
			forget_one(held);
	held->blocks[held->count++] = malloc((size_t)(64 + which));
}

// Fills, and then one goes for each that comes.
static inline __attribute__((always_inline)) void
remember(struct held *held)
{
	if (held->count < 150) {
		held->blocks[held->count++] = malloc(100);
		return;
	}
	int i = chance(150);
	free(held->blocks[i]);
	held->blocks[i] = malloc(100);
}

static inline __attribute__((always_inline)) void
work(int which, int round)
{
	struct held *held = &all[which];
	if (which % 3 == 0)
		follow_load(held, which, round);
	else if (which % 3 == 1)
		collect(held, which);
	else
		remember(held);
	char *request = malloc(500);
	memset(request, 1, 500);
	free(request);
}

#define WORK(N) \
	static __attribute__((noinline)) void work##N(int round) { work(N, round); }
WORK(0) WORK(1) WORK(2) WORK(3) WORK(4) WORK(5) WORK(6) WORK(7) WORK(8) WORK(9)
WORK(10) WORK(11) WORK(12) WORK(13) WORK(14) WORK(15) WORK(16) WORK(17) WORK(18) WORK(19)
WORK(20) WORK(21) WORK(22) WORK(23) WORK(24) WORK(25) WORK(26) WORK(27) WORK(28) WORK(29)

static void (*const works[])(int) = {
	work0, work1, work2, work3, work4, work5, work6, work7, work8, work9,
	work10, work11, work12, work13, work14, work15, work16, work17, work18, work19,
	work20, work21, work22, work23, work24, work25, work26, work27, work28, work29,
};

__attribute__((noinline)) void
planted(void)
{
	char *volatile block = malloc(48);
	block[0] = 1;
}

int
main(int argc, char **argv)
{
	(void)argv;
	// Takes a second. In less time a busy machine's pause would count as the start.
	for (int round = 0; round < 2500; round++) {
		usleep(300);
		for (int i = 0; i < 30; i++)
			works[i](round);
		if (argc > 1 && round % 5 == 0)
			planted();
	}
	return 0;
}
