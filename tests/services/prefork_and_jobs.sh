#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# Of twelve prefork workers, in C and in Python, one leaks: its line comes first in its log, with its bytes,
# and in no other log. A job that runs 200 times leaves the same bytes at the same line each time: one row
# tells what all runs left. Its twin leaves none.

. "$PMEM_ROOT/tests/services/service.sh"
needs python3 python3
cat >workers.c <<'X'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *kept[10000];
static void *volatile scratch;

__attribute__((noinline)) void
handle(int worker, int i)
{
	free(scratch = malloc(600 + i % 3000));
	if (worker == 7)
		memset(kept[i] = malloc(1000), 'a', 1000);
}

int
main(int count, char **arguments)
{
	for (int worker = 0; worker < 12; worker++) {
		if (fork() == 0) {
			for (int i = 0; i < 10000; i++)
				handle(strcmp(arguments[count - 1], "leaks") == 0 ? worker : 0, i);
			free(scratch = malloc(3000000));
			if (kept[0])
				printf("planted %d\n", 10000 * 1000);
			fflush(stdout);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		continue;
}
X
cat >workers.py <<'X'
import os, sys
kept = []

def handle(worker, number):
    "".join(str(i) for i in range(number % 100))
    entry = bytearray(5000 + number % 7)
    if worker == 7:
        kept.append(entry)

for worker in range(12):
    if os.fork() == 0:
        for number in range(2000):
            handle(worker if sys.argv[1] == "leaks" else 0, number)
        if kept:
            print("planted", sum(sys.getsizeof(entry) for entry in kept), flush=True)
        bytearray(3000000)
        os._exit(0)
for worker in range(12):
    os.wait()
X
# workers PATTERN COMMAND...: one of the twelve has that line first, with its bytes, and none of the twin's.
workers() {
	pattern=$1
	shift
	for with in leaks twin; do
		serve "$@" $with
		leaky=0
		for log in pmem.*.log; do
			rows 0
			[ "$(held_by "$pattern")" -ge 1000000 ] || continue
			leaky=$((leaky + 1))
			is_planted "$pattern" 1
		done
		[ "$(ls pmem.*.log | wc -l)" -ge 12 ] || fail "$(ls pmem.*.log | wc -l) logs"
		[ $with$leaky = leaks1 ] || [ $with$leaky = twin0 ] || fail "$leaky workers leak ($with)"
	done
}
"$CC" -O1 -g -fno-builtin -rdynamic -o workers workers.c
workers 'handle .*< main' ./workers
export PYTHONMALLOC=malloc
workers 'workers.py:6 in handle' /usr/bin/python3 workers.py

cat >rotate.c <<'X'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *kept[1000];
__attribute__((noinline)) void load(int i) { kept[i] = malloc(3450); memset(kept[i], 1, 3450); }
int
main(int count, char **arguments)
{
	for (int i = 0; i < 1000; i++)
		load(i);
	for (int i = 0; strcmp(arguments[count - 1], "twin") == 0 && i < 1000; i++)
		free(kept[i]);
	puts("planted 3450000");
	return 0;
}
X
"$CC" -O1 -g -fno-builtin -rdynamic -o rotate rotate.c
times=200
pair 'load .*< main' 0 1 ./rotate
[ "$(ls pmem.*.log | wc -l)" -eq 200 ] || fail "$(ls pmem.*.log | wc -l) runs"
