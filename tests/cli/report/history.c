// history SEED SOURCES BLOCKS SHOW: a log of made-up sources that call each other, allocate and
// free, to standard output. Stacks have beginnings in common; some end early, some recurse.

#include <stdlib.h>
#include <string.h>

#include "makelog.h"

enum { SOURCES = 4096 };

static uint64_t state;
static uint64_t held[SOURCES]; // blocks of each source
static int numbers[SOURCES];

static uint64_t
below(uint64_t limit)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (state >> 33) % limit;
}

static void
make_stack(char *names)
{
	uint64_t depth = 1 + below(6);

	*names = '\0';
	for (uint64_t i = 0; i < depth; i++) {
		const char *module = below(8) ? "" : "libparse.so:";
		char *end = names + strlen(names);
		sprintf(end, "%s%sf%u", i ? "/" : "", module, (unsigned)below(3 + i));
	}
	if (below(20) == 0)
		for (int i = 0; i < 20; i++)
			strcat(names, "/again");
}

static void
move(struct makelog *log, int which)
{
	uint64_t size = 16 + (uint64_t)which;
	uint64_t calls = 1 + below(which % 10 == 0 ? 400 : 20);

	makelog_malloc(log, numbers[which], calls, size);
	held[which] += calls;
	uint64_t frees = below(held[which] + 1);
	if (which % 7 == 0)
		frees = held[which];
	makelog_free(log, numbers[which], frees, size);
	held[which] -= frees;
}

int
main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	state = strtoull(argv[1], NULL, 10);
	int sources = atoi(argv[2]);
	int snapshots = atoi(argv[3]);
	struct makelog_options options = {.pid = 1000 + (long)state, .show = (unsigned)atoi(argv[4])};
	struct makelog *log = makelog_open(stdout, &options);
	char names[512];

	for (int i = 0; i < sources; i++) {
		make_stack(names);
		numbers[i] = below(10) ? makelog_source(log, names) : makelog_stack(log, names);
	}
	for (int snapshot = 0; snapshot < snapshots; snapshot++) {
		for (int i = 0; i < sources; i++)
			if (snapshot == 0 || below(3) == 0)
				move(log, i);
		if (below(4) == 0)
			makelog_malloc(log, MAKELOG_OTHER, 3, 100);
		makelog_snapshot(log, 1000, "churn");
	}
	makelog_close(log);
	return 0;
}
