#!/bin/sh
# long
# For how long the thread that writes a snapshot stands still, in millions of instructions: with 1,000
# sources that moved and are shown 36 for the first, which looks up their names, and 9.6 for a later one;
# with 60 threads that each came to all of 57,000 sources 56. These took 4.3, 1.1 and 7 ms of an AMD EPYC's
# time when this was written (gcc 12, -O2); no more than 15 % above that. Counted under callgrind, which
# is exact; only the snapshots are instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
build "$quiet -DPMEM_SHOW=1000 -DPMEM_LOG_HOURS=0"

awk 'BEGIN {
	for (i = 0; i < 1000; i++) {
		printf "__attribute__((noinline)) void *leaf%d(void) {", i
		printf " void *block = malloc(%d); __asm__ volatile(\"\" : : \"r\"(block)); return block; }\n", 24 + i
	}
	print "static void *(*const leaves[])(void) = {"
	for (i = 0; i < 1000; i++)
		printf "leaf%d,\n", i
	print "};"
}' >leaves.h
cat >stop.c <<'END_OF_C'
#include <pthread.h>
#include <valgrind/callgrind.h>

#include "src/pmem.h"
#include "leftright.h"
#include "leaves.h"

enum { THREADS = 60, DEPTH = 16, MOVERS = 1000 };

static pthread_barrier_t barrier;

static void *
serve(void *unused)
{
	for (unsigned path = 0; path < 1 << DEPTH; path++)
		free(left(DEPTH, path));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return unused;
}

static void
start_all(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&thread, NULL, serve, NULL) != 0)
			abort();
	}
	pthread_barrier_wait(&barrier);
}

static void
move_all(void)
{
	static void *volatile kept[MOVERS];

	for (int i = 0; i < MOVERS; i++) {
		free(kept[i]);
		many_leaf = leaves[i];
		kept[i] = left(DEPTH, (unsigned)i);
	}
}

// stop 0: of threads; N: the Nth of movers.
int
main(int count, char **arguments)
{
	int which = atoi(arguments[count - 1]);

	if (which == 0)
		start_all();
	for (int i = 0; i < which; i++) {
		if (i > 0 && pmem_snapshot && pmem_snapshot("before") < 0)
			return 1;
		move_all();
	}
	CALLGRIND_START_INSTRUMENTATION;
	if (pmem_snapshot && pmem_snapshot("counted") < 0)
		return 1;
	CALLGRIND_STOP_INSTRUMENTATION;
	_Exit(0);
}
END_OF_C
gcc -O1 -w -rdynamic -pthread -fno-builtin -fno-optimize-sibling-calls -I. -I"$PMEM_ROOT" \
	-I"$PMEM_ROOT/tests/lib" -o stop stop.c

# stop WHICH SOURCES SHOWN MOST: in thousands.
stop() {
	cost=$(($(marked "$library" ./stop "$1") / 1000))
	said=$(grep -h ' reason=asked' pmem.*.log | tail -n 1 | sed 's/.* sources=\([0-9]*\)[^ ]* shown=\([0-9]*\) .*/\1 \2/')
	rm -f pmem.*.log
	echo "figure: of ${said% *} sources, ${said#* } shown: $cost thousand instructions"
	[ "${said% *}" -ge "$2" ] && [ "${said#* }" -ge "$3" ] || { echo "too few sources"; exit 1; }
	within $cost 1000 "$4"
}
stop 1 1000 1000 42000
stop 4 1000 1000 11000
stop 0 50000 0 64400
