#!/bin/sh
# `pmem report --by label`: what each label has, at any moment and since any other, of one log or of
# several, with what has none; it adds up to the totals. All else counts a source once, whatever
# labels it has.

set -eu
command -v jq >/dev/null || { echo "skipped: needs jq"; exit 77; }
pmem=$PMEM_BUILD/pmem
wrong() {
	echo "$1"
	exit 1
}
cat >tenants.c <<'END'
#include <stdlib.h>
#include "pmem.h"
static void *volatile kept;
__attribute__((noinline)) void serve(const char *tenant, int bytes)
{
	pmem_label(tenant);
	kept = malloc(bytes);
	kept = malloc(bytes);
	free(kept);
}
int main(void)
{
	serve("acme", 1000), serve("zeta", 10), serve(NULL, 5);
	pmem_snapshot("one");
	serve("acme", 3000);
	pmem_snapshot("two");
	serve("late comer", 500);
	pmem_snapshot("three");
	return 0;
}
END
"$CC" -O1 -fno-builtin -rdynamic -I"$PMEM_ROOT/src" -o tenants tenants.c
LD_PRELOAD=$PMEM_LIBRARY ./tenants
mv pmem.*.log a.log
LD_PRELOAD=$PMEM_LIBRARY ./tenants
mv pmem.*.log b.log
"$LOGCHECK" a.log

# shows ARGUMENTS...: the table on standard input.
shows() {
	"$pmem" report --raw --bytes --by label "$@" | sed -n '/ label$/,$p' | tr -s ' ' | sed 's/^ //' >got
	cat >want
	cmp -s want got || wrong "$*: $(cat got)"
}
shows --at one a.log <<'END'
live share blocks growth allocated allocs label
1000 98.5% 1 +1000 2000 2 acme
10 1.0% 1 +10 20 2 zeta
5 0.5% 1 +5 10 2 no label
1015 100.0% 3 +1015 2030 6 total
END
shows --at two --since one a.log <<'END'
live share blocks growth allocated allocs label
4000 99.6% 2 +3000 8000 4 acme
10 0.3% 1 0 20 2 zeta
5 0.1% 1 0 10 2 no label
4015 100.0% 4 +3000 8030 8 total
END
shows --at three --since two -n 2 a.log <<'END'
live share blocks growth allocated allocs label
4000 88.6% 2 0 8000 4 acme
500 11.1% 1 +500 1000 2 late comer
15 0.3% 2 0 30 4 others, and no label
4515 100.0% 5 +500 9030 10 total
END
shows --at last a.log b.log <<'END'
live share blocks growth allocated allocs label
8000 88.6% 4 +6000 16000 8 acme
1000 11.1% 2 +1000 2000 4 late comer
20 0.2% 2 0 40 4 zeta
10 0.1% 2 0 20 4 no label
9030 100.0% 10 +7000 18060 20 total
END
# For data bases of logs: those that moved, in the totals of each snapshot.
"$pmem" export --raw --to ndjson a.log | jq -rc 'select(.kind == "total" and .reason == "asked")
	| .labels[] | [.name, .live, .blocks, .alloc, .alloc_delta, .free, .frees_delta] | @csv' >got
cat >want <<'END'
"acme",1000,1,2000,2000,1000,1
"zeta",10,1,20,20,10,1
"acme",4000,2,8000,6000,4000,1
"late comer",500,1,1000,1000,500,1
END
cmp -s want got || wrong "ndjson: $(cat got)"
# leaks -v tells of labels, and who holds most.
"$pmem" leaks -v --bytes a.log >got 2>&1 || true
grep -q '^live by label: acme 4000, late comer 500, zeta 10 (pmem report --by label)$' got || wrong "leaks: $(cat got)"
# One call of serve() is one source, whatever its label.
cat >one.c <<'END'
#include <stdlib.h>
#include "pmem.h"
static void *volatile kept;
int main(void)
{
	for (int i = 0; i < 300; i++) {
		pmem_label(i % 3 == 0 ? "acme" : i % 3 == 1 ? "zeta" : NULL);
		kept = malloc(10);
	}
	return 0;
}
END
"$CC" -O1 -fno-builtin -rdynamic -I"$PMEM_ROOT/src" -o one one.c
LD_PRELOAD=$PMEM_LIBRARY ./one
"$LOGCHECK" pmem.*.log
"$pmem" report --raw --bytes -n 0 pmem.*.log | grep -q '^ *3000  *[0-9.]*%  *300 .* main$' ||
	wrong "not one source: $("$pmem" report --raw --bytes pmem.*.log)"
"$pmem" report --raw --bytes --by label pmem.*.log | grep -c '^ *1000 ' | grep -qx 3 || wrong thirds

# refused STATUS WORDS ARGUMENTS...
refused() {
	status=0
	want=$1
	words=$2
	shift 2
	"$pmem" report "$@" >out 2>err || status=$?
	[ $status -eq "$want" ] && grep -q -e "$words" err || wrong "$*: $status, $(cat err)"
}
refused 2 '--by label: a table of labels has no sources for --tree' --by label --tree a.log
grep -v '^label ' a.log >none.log
refused 1 '--by label: none.log tells of no label' --by label none.log
sed 's/^label acme live:1000,/label acme live:1001,/' a.log >bad.log
refused 1 'a label: expected live to be what is allocated' --by label bad.log
# The page of a process says of them what `pmem leaks` does.
"$pmem" leaks -v --raw a.log | sed -n '/^live by label: acme /p' >want
"$pmem" html --raw a.log | sed -n 's/.*"\(live by label: [^"]*\)".*/\1/p' >got
[ -s want ] && cmp -s want got || wrong "the page says of labels $(cat got)"
