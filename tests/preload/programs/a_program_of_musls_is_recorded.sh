#!/bin/sh
# A program that is linked to musl, whose loader takes what LD_PRELOAD names, too, is recorded by the
# same library: each byte, in threads and a child. It runs as without us.

. "$PMEM_ROOT/tests/lib/real.sh"
needs musl-gcc musl-tools
cat >program.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 30000, THREADS = 8 };

// What cannot be had is counted.
static long
take(long *bytes)
{
	char **blocks = calloc(BLOCKS, sizeof(*blocks));
	long missing = !blocks;

	for (int i = 0; blocks && i < BLOCKS; i++) {
		size_t size = 1 + (size_t)i % 100;
		switch (i % 6) {
		case 0: blocks[i] = malloc(size); break;
		case 1: blocks[i] = calloc(1, size); break;
		case 2: blocks[i] = realloc(malloc(1), size); break;
		case 3: blocks[i] = aligned_alloc(64, 64 * size); break;
		case 4: blocks[i] = memalign(32, size); break;
		case 5: if (posix_memalign((void **)&blocks[i], 128, size)) blocks[i] = NULL; break;
		}
		missing += !blocks[i];
		if (blocks[i])
			*bytes += (long)malloc_usable_size(memset(blocks[i], i, size));
	}
	for (int i = 0; blocks && i < BLOCKS; i++)
		free(blocks[i]);
	free(blocks);
	return missing;
}

static void *
run(void *unused)
{
	(void)unused;
	long bytes = 0;
	return (void *)(intptr_t)(take(&bytes) + !strdup("kept"));
}

int
main(void)
{
	pthread_t threads[THREADS];
	long bytes = 0;
	long missing = take(&bytes);

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < THREADS; i++) {
		void *missed;
		pthread_join(threads[i], &missed);
		missing += (intptr_t)missed;
	}
	int status = 0;
	if (fork() == 0)
		exit(run(NULL) ? 1 : 7);
	wait(&status);
	errno = 5;
	void *absurd = malloc(PTRDIFF_MAX);
	printf("%ld missing, %ld bytes, child %d, %d, errno %d\n", missing, bytes, WEXITSTATUS(status),
		absurd != NULL, errno);
	printf("%d %d\n", prctl(PR_SET_NAME, "named", 0, 0, 0), syscall(SYS_getpid) == getpid());
	return 0;
}
END
musl-gcc -w -O1 -fno-builtin -rdynamic -Wl,--eh-frame-hdr -o program program.c || fail "it is not built"
same 0 program ../program
grep -q '^0 missing, .* child 7, 0, errno 12$' program.plain.out || fail "it did not work" program.*
set -- logged/pmem.*.log
[ $# -eq 2 ] || fail "not two logs" "$@"
agree 17 "$@"
# A turn takes 35,001 blocks: a table, one for each of its 30,000 entries, and one more for each sixth.
# There are nine in the first process, and one in its child. Threads and child keep a block each.
grep -q '^time=.* reason=exit live=40/8 alloc=[0-9]*/315017 ' "$@" || fail "not each block is there" "$@"
grep -q '^time=.* reason=exit live=45/9 alloc=[0-9]*/350019 ' "$@" || fail "not each of the child's" "$@"
for log; do
	grep -q '^# module .* /.*/program$' "$log" || fail "the program has no name" "$log"
	grep -q '^# module .* /lib/ld-musl-x86_64.so.1$' "$log" || fail "musl has no name" "$log"
	"$PMEM_BUILD/pmem" report "$log" >report.out 2>report.err || fail "the reader does not read it" report.err
	grep -q '  run program.c' report.out || fail "what is kept is not run()'s" report.out
	! grep '^losses' "$log" || fail "the log lacks something" "$log"
done
