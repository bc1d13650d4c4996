// long
// of glibc
// However little address space a program is given from its start, it does not crash by us:
// either ld.so says that it cannot load a library, or start its thread, or it runs, and allocations that fail
// are NULL. What could not be mapped for us is counted in a log that agrees with itself.

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum {
	MIB = 1 << 20,
	THREADS = 8,
};

static volatile bool has_any;

static void *
allocate(void *unused)
{
	for (size_t i = 0; i < 500; i++) {
		char *block = malloc(i % 1000);
		if (block) {
			memset(block, 'x', i % 1000);
			has_any = true;
		} else {
			expect(errno == ENOMEM);
		}
		free(block);
	}
	return unused;
}

void
host(void)
{
	pthread_t threads[THREADS];
	pthread_attr_t small;
	int started = 0;

	if (!host_role()[0])
		return;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	for (int i = 0; i < THREADS; i++)
		started += pthread_create(&threads[started], &small, allocate, NULL) == 0;
	allocate(NULL);
	while (started > 0)
		pthread_join(threads[--started], NULL);
	if (!has_any)
		expect(write(STDOUT_FILENO, "no block\n", 9) == 9);
}

void
check(const struct logfile *none)
{
	struct rlimit was, limit;
	uint64_t shared = 0;
	int refused = 0, unloaded = 0, blockless = 0, logged = 0;

	(void)none;
	getrlimit(RLIMIT_AS, &was);
	limit = was;
	// The library's image takes 2 MiB, and little more is mapped at the start.
	for (rlim_t bytes = 3 * MIB; bytes < 40 * MIB;
		bytes += bytes < 16 * MIB ? MIB / 16 : 2 * MIB) {
		char path[32];
		struct logfile log;
		limit.rlim_cur = bytes;
		setrlimit(RLIMIT_AS, &limit);
		int status = run_again("host", true, "output");
		setrlimit(RLIMIT_AS, &was);
		const char *output = read_file("output");
		snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
		if (status != 0) {
			expect(WIFEXITED(status) && WEXITSTATUS(status) == 127);
			expect(strstr(output, "error while loading shared libraries") != NULL
				|| strstr(output, "cannot allocate TLS data structures") != NULL);
			refused++;
		} else if (strstr(output, "cannot be preloaded")) {
			expect_equal(count_files(path), 0);
			unloaded++;
		} else if (count_files(path) == 0) {
			// There is nothing to tell.
			expect(strcmp(output, "no block\n") == 0);
			blockless++;
		} else {
			// A thread that was not to be may have had a block before that.
			expect(output[0] == '\0' || strcmp(output, "no block\n") == 0);
			read_log(&log, path);
			shared += log_loss(log_last(&log), "slots_shared");
			logged++;
		}
	}
	printf("figure: limits under which ld.so refused %d, ran without us %d, had no block %d, logged %d; "
		"%lu threads shared\n", refused, unloaded, blockless, logged, (unsigned long)shared);
	fflush(stdout);
	expect(refused > 5 && logged > 10 && shared > 0);
}
