// loads KEEP COUNT PAIRS: loads ./first.so, then COUNT of ./0.so and so on, each of which
// allocates, and keeps or unloads them; then ./last.so. Then so many pairs of malloc() and
// free(), with stacks that differ in several frames, by the code of first, of last, and by the
// program's own: counted under callgrind, a dump each.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

#include "path.h"

typedef void *giving(unsigned, unsigned long);

static giving *
load(const char *path, void **handle)
{
	*handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	giving *give = *handle ? (giving *)dlsym(*handle, "give") : NULL;
	if (!give)
		exit(2);
	free(give(0, 40));
	return give;
}

static void
make_pairs(giving *give, unsigned pairs)
{
	for (unsigned i = 0; i < pairs; i++)
		free(give(i % 50, 40));
}

int
main(int count, char **words)
{
	static giving *gives[3] = {give};
	static const char *const names[] = {"own", "first", "last"};
	void *handle;

	if (count != 4)
		return 2;
	unsigned pairs = (unsigned)atoi(words[3]);
	gives[1] = load("./first.so", &handle);
	for (int i = 0; i < atoi(words[2]); i++) {
		char name[32];
		snprintf(name, sizeof(name), "./%d.so", i);
		load(name, &handle);
		if (atoi(words[1]) == 0)
			dlclose(handle);
	}
	gives[2] = load("./last.so", &handle);
	for (int i = 0; i < 3; i++) {
		make_pairs(gives[i], 200);
		CALLGRIND_START_INSTRUMENTATION;
		CALLGRIND_ZERO_STATS;
		make_pairs(gives[i], pairs);
		CALLGRIND_DUMP_STATS_AT(names[i]);
		CALLGRIND_STOP_INSTRUMENTATION;
	}
	return 0;
}
