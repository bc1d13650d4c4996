#!/bin/sh
# long
# In both browsers: a page tells command lines, peaks, begins and ends of workers, losses, whole
# stacks, threads and intervals; its flame graph folds, shortens, hides and inverts, names files
# and lines, and has colours by module or language; one source is one everywhere; it is copied as
# text; dragging and zooming do no work beyond their own canvas, and nothing is laid out twice in a
# frame; one snapshot alone is seen.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs_browsers
needs g++

cat >program.cc <<'END'
#include <cstdlib>
#include <pthread.h>
#include <vector>

struct session { char name[3000]; };
static void *volatile kept;

[[gnu::noinline]] void *xmalloc(size_t size) { return malloc(size); }
template<typename T> [[gnu::noinline]] T *keep(T value) { return new T(value); }
[[gnu::noinline]] void *dive(int depth) { return depth ? dive(depth - 1) : xmalloc(2000); }
[[gnu::noinline]] void handle() {
	kept = dive(5);
	kept = keep(session{});
	free(xmalloc(20000));
}
static void *work(void *) {
	pthread_setname_np(pthread_self(), "worker");
	for (int i = 0; i < 400; i++)
		kept = xmalloc(1000);
	return NULL;
}
int main() {
	pthread_t thread;
	for (int i = 0; i < 300; i++)
		handle();
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
}
END
g++ -g -O1 -fno-optimize-sibling-calls -fno-inline -o program program.cc -pthread
LD_PRELOAD=$PMEM_LIBRARY ./program
mv pmem.*.log program.log
"$pmem" html -o program.html program.log

. "$PMEM_ROOT/tests/lib/scriptlog.sh"
mkdir service
for worker in 1 2 3; do
	awk -v worker=$worker 'BEGIN {
		printf "pid %d\nexe /srv/bin/worker\nstart 2026-11-21T00:0%d:00.000Z\n", 100 + worker, worker
		if (worker == 1)
			print "lose table_full 7"
		for (i = 0; i < 60; i++)
			print "+ keep/handle 4 1000\n+ serve/handle 2 500\n- serve/handle 2 500\nsnapshot 20000 churn"
		if (worker == 2)
			print "- keep/handle 200 1000\nsnapshot 10 exit"
	}' | ./scriptlog service/pmem.$((100 + worker)).log >/dev/null
done
"$pmem" html --raw -o service.html service
"$pmem" html --raw -o first.html "$PMEM_ROOT/tests/cli/logs/seed.log"
printf '+ keep/handle 5 1000\nsnapshot 1000 churn\n' | ./scriptlog single.log >/dev/null
"$pmem" html --raw -o single.html single.log
# steps GROWING FALLEN: a process that grows, or does not, and gives it back, or does not; it keeps most.
steps() {
	awk -v growing="$1" -v fallen="$2" 'BEGIN {
		print "+ hold 1000 1000"
		for (i = 0; i < 60; i++)
			print (growing ? "+ grow 1 3000\n" : "") "+ serve 2 500\n- serve 2 500\nsnapshot 20000 churn"
		if (fallen)
			print "- grow 60 3000\nsnapshot 1000 churn\nsnapshot 1000 churn\nsnapshot 10 exit"
	}'
}
steps 0 0 | ./scriptlog flat.log >/dev/null
steps 1 1 | ./scriptlog fell.log >/dev/null
"$pmem" html --raw -o flat.html flat.log
"$pmem" html --raw -o fell.html fell.log
check whole.js program.html service.html service chromium firefox-esr
