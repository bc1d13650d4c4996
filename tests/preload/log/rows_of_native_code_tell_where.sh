#!/bin/sh
# pmem: -DPMEM_CHURN_THRESH=20000 -DPMEM_LOG_HOURS=0
# At `tail -f` a row of a program without names says where in the file, so that two of one function or
# file differ; it ends before what starts main() or a thread. And the line of totals fits 200 characters.

set -eu
cat >host.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *volatile kept;
static __attribute__((noinline)) void one(void) { kept = malloc(100); kept = NULL; }
static __attribute__((noinline)) void other(void) { kept = malloc(100); kept = NULL; }
static __attribute__((noinline)) void
work(void)
{
	for (int i = 0; i < 500; i++) {
		one();
		other();
		free(malloc(300));
	}
	kept = NULL;
}
static void *run(void *unused) { work(); kept = NULL; return unused; }
int main(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, run, NULL) != 0)
		return 1;
	pthread_join(thread, NULL);
	work();
	kept = NULL;
	return 0;
}
END
$CC -O1 -g -fno-builtin -fno-optimize-sibling-calls -pthread -o "named" host.c
strip -s -o gate named
LD_PRELOAD=$PMEM_LIBRARY ./gate
fail() {
	echo "$1"
	cat rows
	exit 1
}
"$LOGCHECK" pmem.*.log
sed -n 's/^{[0-9a-f]*} live:.* < gate/gate/p' pmem.*.log | sort -u >rows
# Three places, in a thread and in main().
[ "$(wc -l <rows)" -eq 6 ] || fail "not six rows"
! grep -Eqv '^gate\+0x[0-9a-f]+ < \+0x[0-9a-f]+( < \+0x[0-9a-f]+)?$' rows || fail "not where they are"
# function_at OFFSET: behind a call in it.
function_at() {
	nm named | awk -v at="$1" 'function number(text, i, sum) { sum = 0
			for (i = 1; i <= length(text); i++) sum = 16 * sum + index("0123456789abcdef", substr(text, i, 1)) - 1
			return sum }
		$2 ~ /[tT]/ && number($1) < number(at) && number($1) >= most { most = number($1); name = $3 }
		END { print name }'
}
for offset in $(grep -oE '0x[0-9a-f]+' rows | sed 's/0x//' | sort -u); do
	function_at "$offset"
done | sort | uniq -c | awk '{ printf "%s %s ", $2, $1 }' >functions
# work() calls three times.
[ "$(cat functions)" = "main 1 one 1 other 1 run 1 work 3 " ] || { cat functions; fail "other functions"; }

awk '/^time=/ && length($0) > 199 { print; bad = 1 } /^time=/ { n++ } /^memory rss=/ { memory++ }
	END { exit bad || n < 3 || memory != n }' pmem.*.log || fail "lines of totals"
