#!/bin/sh
# Another build has other ids. `pmem diff` says so, and --by-name takes sources as one by their
# functions; of two runs of one build with more and less work the ids are the same.

set -eu
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
pmem=$PMEM_BUILD/pmem
fail() {
	echo "$1"
	cat table words
	exit 1
}

# The sample server, built twice: in the second one every offset is another.
$CC -g -O1 -rdynamic -Wl,--build-id -o server "$PMEM_ROOT/tests/server.c"
{
	echo 'int before(int a) { return a * a + 1; }'
	cat "$PMEM_ROOT/tests/server.c"
} >moved.c
mkdir other
$CC -g -O1 -rdynamic -Wl,--build-id -o other/server moved.c
run() {
	seq 1 "$2" | LD_PRELOAD=$PMEM_BUILD/libpmem.so "$1" >answers
	mv pmem.*.log "$3"
}
run ./server 1000 few.log
run ./server 3000 more.log
run other/server 3000 other.log

"$pmem" diff --bytes few.log more.log >table 2>words || fail "status $?"
[ ! -s words ] || fail "words"
grep -Eq '^ *grew +52000 +156000 +\+104000 +\+500 +\+2000 +open_session' table || fail "no growth"
grep -Eq 'came|went' table && fail "not the same ids"

"$pmem" diff --bytes few.log other.log >table 2>words || fail "status $?"
grep -q 'no source of it is in the other log, and it has another build of server: .*--by-name' words \
	|| fail "no advice"
grep -Eq '^ *came +0 +156000 ' table || fail "another build has the same id"
"$pmem" diff --bytes --by-name few.log other.log >table 2>words || fail "status $?"
[ ! -s words ] || fail "words with --by-name"
grep -Eq '^ *grew +52000 +156000 +\+104000 +\+500 +\+2000 +open_session' table || fail "not by name"
grep -Eq 'came|went' table && fail "some not by name"

# One library is another: some sources are the same, some only have the same functions.
./scriptlog a.log >answers <<'END2'
+ stays 1 100
+ moves 1 1000
snapshot 1000 exit
END2
sed 's/^{.*} live:1000,/{00000000000000ab} live:1000,/' a.log >b.log
"$pmem" diff a.log b.log >table 2>words || fail "status $?"
grep -q '1 source of it has the same functions as sources that went: --by-name' words \
	|| fail "no advice of one"
"$pmem" diff --by-name a.log b.log >table 2>words || fail "status $?"
[ ! -s words ] && grep -q '2 sources with the same live' table || fail "not both by name"
