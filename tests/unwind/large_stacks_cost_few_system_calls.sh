#!/bin/sh
# pmem: -DPMEM_CHURN_THRESH=1000000000
# Whatever lies between a thread's frames and its stack's end, 20 MiB of a library's thread-local
# storage or frames of 200 MiB, is not asked about page by page, and 10,000 pairs make no more
# system calls than ten.

set -eu
command -v strace >/dev/null 2>&1 || { echo "skipped: needs strace"; exit 77; }
CC=${CC:-gcc}

echo '__thread char large[20 << 20]; char *touch(int i) { return &large[i]; }' >storage.c
$CC -shared -fPIC -o libstorage.so storage.c
cat >host.c <<'HOST'
#include <pthread.h>
#include <stdlib.h>

char *touch(int);
static int count;

__attribute__((noinline)) static void
pairs(char *large)
{
	__asm__ volatile("" : : "r"(large) : "memory");
	for (int i = 0; i < count; i++)
		free(malloc(100));
}

__attribute__((noinline)) static void
deep(void)
{
	char large[200 << 20];
	pairs(large);
	__asm__ volatile("" : : "r"(large) : "memory");
}

static void *
shallow_and_deep(void *unused)
{
	pairs(touch(5));
	deep();
	pairs(touch(6));
	deep();
	return unused;
}

int
main(int unused, char **arguments)
{
	pthread_attr_t attributes;
	pthread_t thread;

	count = atoi(arguments[1]);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256 << 20);
	pthread_create(&thread, &attributes, shallow_and_deep, NULL);
	pthread_join(thread, NULL);
	shallow_and_deep(NULL);
	return 0 * unused;
}
HOST
$CC -O1 -fno-builtin -o host host.c -L. -lstorage -Wl,-rpath,"$PWD" -pthread

# calls LIBRARY COUNT: the system calls of a run. A log of another in the folder would be looked at,
# by one call each.
calls() {
	rm -f pmem.*.log
	strace -f -o trace -E LD_PRELOAD="$1" ./host "$2"
	grep -c '^[0-9]* *[a-z]' trace
}

for limit in 409600 unlimited; do
	ulimit -S -s $limit 2>/dev/null || { echo "skipped: needs a stack limit that can be raised"; exit 77; }
	bare=$(calls "" 10)
	few=$(calls "$PMEM_LIBRARY" 10)
	many=$(calls "$PMEM_LIBRARY" 10000)
	echo "figure: stack limit $limit: $few system calls with 10 pairs, $many with 10,000, $bare without us"
	[ -s "$(ls pmem.*.log | head -n 1)" ]
	[ $((many - few)) -le 2 ] && [ $((few - bare)) -le 700 ]
done
