// release: a program of which there are releases: each of its requests is some work, every
// KEEP-th leaves a block behind, by one of five calls in one function; every SPILL-th one more.
// What is compiled in front of it moves all offsets.
//
//	release REQUESTS [SLEEP]     microseconds, after each request

#include <stdlib.h>
#include <unistd.h>

#ifndef KEEP
#define KEEP 10
#endif
#ifndef SPILL
#define SPILL 0
#endif

#define FRAME __attribute__((noinline))

// Calls that no compiler makes one of.
#define SITE(N) __asm__ volatile("# " #N)

static void *volatile kept;

FRAME void
inflate(int kind)
{
	switch (kind) {
	case 0: kept = malloc(100); SITE(0); break;
	case 1: kept = malloc(101); SITE(1); break;
	case 2: kept = malloc(102); SITE(2); break;
	case 3: kept = malloc(103); SITE(3); break;
	default: kept = malloc(104); SITE(4);
	}
}

FRAME void
spill(void)
{
	kept = malloc(500);
	SITE(5);
}

FRAME void
handle(int request)
{
	for (int i = 0; i < 20; i++) {
		kept = malloc(1000);
		free(kept);
	}
	if (request % KEEP == 0)
		inflate(request / KEEP % 5);
	if (SPILL && request % SPILL == 0)
		spill();
	SITE(6);
}

int
main(int argc, char **argv)
{
	int requests = atoi(argv[1]);

	for (int i = 0; i < requests; i++) {
		handle(i);
		if (argc > 2)
			usleep((unsigned)atoi(argv[2]));
	}
}
