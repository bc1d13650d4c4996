// long
// pmem: -DPMEM_ORACLE=1
// each: ; -O2; -O0
// The unwinder's stacks are backtrace()'s on whatever a thread was born with: a stack that the
// program made, at any address and as large as it likes, large frames, and a first stack that
// is large by its limit, or has none.

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "oracle.h"

enum { MIB = 1 << 20 };

FRAME void
pairs(int depth)
{
	if (depth > 0)
		pairs(depth - 1);
	else
		free(malloc(100));
	use(malloc(10));
}

FRAME void
in_large_frame(void)
{
	char large[200 * MIB];
	use(large);
	pairs(3);
	use(large);
}

FRAME void
in_frames(int depth)
{
	char large[9 * MIB];
	use(large);
	pairs(1);
	if (depth > 0)
		in_frames(depth - 1);
	pairs(2);
	use(large);
}

static void *
shallow(void *unused)
{
	for (int depth = 0; depth < 70; depth++)
		pairs(depth);
	return unused;
}

static void *
large(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pairs(i);
		in_large_frame();
		in_frames(20);
		pairs(i);
	}
	return shallow(unused);
}

static void
run(pthread_attr_t *attributes, void *(*function)(void *))
{
	pthread_t thread;
	expect(pthread_create(&thread, attributes, function, NULL) == 0);
	pthread_join(thread, NULL);
}

void
host(void)
{
	static char small[192 << 10];
	char *map = mmap(NULL, 300 * MIB, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_attr_t attributes;

	expect(map != MAP_FAILED);
	pthread_attr_init(&attributes);
	for (int i = 0; i < 20; i++) {
		expect(pthread_attr_setstack(&attributes, small + 16 * i, sizeof(small) - 32 * i) == 0);
		run(&attributes, shallow);
	}
	expect(pthread_attr_setstack(&attributes, map + 1000, 299 * MIB) == 0);
	run(&attributes, large);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256 * MIB);
	run(&attributes, large);
	run(NULL, shallow);
	shallow(NULL);
	if (host_role()[0])
		large(NULL);
}

void
check(const struct logfile *log)
{
	static const rlim_t limits[] = {400 * MIB, RLIM_INFINITY};

	expect_oracle(log, 1000, false);
	for (int i = 0; i < 2; i++) {
		struct rlimit limit;
		struct logfile again;
		getrlimit(RLIMIT_STACK, &limit);
		limit.rlim_cur = limits[i];
		expect(setrlimit(RLIMIT_STACK, &limit) == 0);
		expect_equal((uint64_t)run_again("large", true, NULL), 0);
		read_log_of(&again, again_pid);
		expect_oracle(&again, 1000, false);
	}
}
