// on each allocator
// What the allocator beneath malloc(), the C library and the loader map for themselves is not in the
// log as the program's: of one that maps nothing it says nothing of mapped memory.

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static void *
work(void *unused)
{
	for (size_t bytes = 1; bytes < 64 << 20; bytes *= 2) {
		char *block = malloc(bytes);
		memset(block, 1, bytes);
		free(realloc(block, bytes * 3));
	}
	return unused;
}

void
host(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
	}
	if (!dlopen("libm.so.6", RTLD_NOW))
		abort();
}

void
check(const struct logfile *log)
{
	expect(log_last(log) != NULL);
	for (int i = 0; i < log->snapshot_count; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		// tcmalloc has its stacks from a library, which maps pages for itself.
		for (int k = 0; k < snapshot->map_count; k++)
			expect(host_allocator_is("tcmalloc") && (snapshot->maps[k].depth == 0
				|| strstr(snapshot->maps[k].frames[1], "libunwind")));
	}
}
