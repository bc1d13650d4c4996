#!/bin/sh
# long
# With --baseline only what leaks more than the release before did, for as much work, is a leak
# and makes the status 3: not on a faster machine, not for more requests, not for another build.
# --by-name shows the calls of one function as one place.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks='leaks -v --min-time 0'
source=$PMEM_ROOT/tests/cli/leaks/release.c

# release NAME FLAG...
release() {
	name=$1
	shift
	mkdir "$name"
	# shellcheck disable=SC2086
	$CC -g -O1 -rdynamic -o "$name/release" "$@" "$source"
}
# run NAME LOG ARGUMENT...
run() {
	run=$1
	log=$2
	shift 2
	LD_PRELOAD=$PMEM_BUILD/libpmem.so "$run/release" "$@"
	mv pmem.*.log "$log"
}
echo 'int before(int a) { return a * a + 1; }' >before.h
release old
release moved -include before.h
release worse -include before.h -DKEEP=5
release other -include before.h -DSPILL=40
run old old.log 4000
run moved same.log 4000
run moved more.log 12000
run moved slow.log 4000 200
run worse worse.log 4000
run other other.log 4000

# Five calls of one function are five lines, and one function.
ask 0 old.log
says '^5 sources leak .* an hour'
[ "$(grep -Ec ' inflate release.c:[0-9]+ < handle < main$' out)" -eq 5 ] || wrong "not five rows"
ask 0 --by-name old.log
says '^1 source leaks .* an hour'
says '  5 stacks  inflate release.c:[0-9]+ < handle < main$'
[ "$(grep -c ' inflate ' out)" -eq 1 ] || wrong "not one row"
# 399 blocks of 102 bytes on an average, within a snapshot's.
ask 0 --by-name --bytes old.log
awk '/  5 stacks  / && $9 >= 380 && $9 <= 400 && $7 >= 101 * $9 && $7 <= 103 * $9 { good = 1 }
	END { exit !good }' out || wrong "not the sum of five"

# Another build of it leaks the same: no more than before, whatever the hours say.
for log in same more slow old; do
	ask 0 --baseline old.log $log.log
	says 'no leak: 1 source, .* an hour, no more than in the release before for as much work$'
	says '^no leak  '
	says_not '^ *leaks '
done

# Twice as much: a leak, with what it was before beside it. Only so much of it may be allowed.
ask 3 --baseline old.log worse.log
says '^ *leaks '
says ' between +before +growth '
says_not '^no leak | new '
ask 0 --baseline old.log --fail-on 1000G worse.log
ask 0 --baseline worse.log old.log

# What did not leak at all is new; what leaks as before stands behind it.
ask 3 --baseline old.log other.log
says '^ *leaks .* new .* spill release.c:[0-9]+ < handle < main$'
says '^no leak .* inflate release.c:[0-9]+ < handle < main$'
says 'no leak: 1 source, .*, no more'

# Of several processes of the old release the one that leaked most counts; a folder is all of them.
mkdir before
cp old.log before/pmem.1.log
cp worse.log before/pmem.2.log
ask 0 --baseline before worse.log
ask 0 --baseline old.log --baseline worse.log worse.log

# Without names it cannot be told what is new. That is said.
mkdir bare
$CC -O1 -o bare/release "$source"
strip bare/release
run bare bare.log 4000
ask 3 --baseline bare.log same.log
grep -Eq '^pmem: --baseline: of 1 source that leaked there not all functions have names here, so what is called new may be this one: ' err ||
	wrong "no word of names"
# Those of the same build are known without.
ask 0 --baseline bare.log bare.log
says '^no leak '
[ ! -s err ] || wrong "a word of names that are not wanted"

# Beside a baseline that cannot be read all would be new: nothing is judged.
ask 1 --baseline none.log same.log
[ ! -s out ] || wrong "judged without a baseline"
ask 2 --baseline
