#!/bin/sh
# A process that changes its user may have to write on in the fallback folder. Whoever names the log
# in the one place, the other, both or a folder of them reads all of it, and each snapshot once:
# what stands where it began was said to stand still, while the process went on. A log of the same
# name that is another process's is none of it.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

fallback=$(sed -n 's/^#define PMEM_LOG_FALLBACK_DIR "\(.*\)"$/\1/p' "$PMEM_ROOT/config.h")
pid=$((5000000 + $$)) # more than a kernel gives out
name=pmem.$pid.log
there=$fallback/$name
trap 'rm -f "$there"' EXIT
mkdir begun folder

# go_on WHERE RUN: what comes behind the first four snapshots, with a note of where it was refused.
go_on() {
	sed -e "s/run=[0-9a-f]*/run=$2/" -e "1a\\
# note $PWD/begun/$name: Permission denied" "$name" >"$1"
}
awk -v pid=$pid 'BEGIN {
	print "pid " pid
	for (i = 0; i < 60; i++) {
		print "+ turn/work 9 100\n- turn/work 9 100\n+ drop/handle 1 1000"
		print "snapshot 60000 churn"
		if (i == 3)
			print "rotate"
	}
}' | ./scriptlog "$name" >/dev/null
ask 0 -v "$name"
grep -v '^note: ' out >want
says '^snapshots \[0\] to \[59\]'
run=$(sed -n '1s/.* run=\([0-9a-f]*\).*/\1/p' "$name")
[ -n "$run" ] || wrong "no run"
mv "$name.1" "begun/$name"

# same ARGUMENT...: the answer is that of the whole log.
same() {
	ask 0 -v "$@"
	grep -v '^note: ' out >got
	diff want got || wrong "pmem leaks $*"
	[ "$(grep -c '^note: ' out)" -eq 1 ] || wrong "notes of $*"
	says "^note: the log could not be written, or not any more, in $PWD/begun/$name: Permission denied"
}
go_on "$there" "$run"
same "begun/$name"
same begun
same "$there"
same "begun/$name" "$there"
same "$there" begun
"$pmem" report "begun/$name" >out
says '^snapshot \[59\] '
"$pmem" top --once "begun/$name" >out 2>err
says 'snapshot \[59\]'

# In a folder of its own, as when logs are collected, it is found by its note alone.
mv "$there" "folder/$name"
same "folder/$name"
same folder begun

# Another run's: each log is one of its own.
go_on "$there" 0123456789abcdef
rm "folder/$name"
ask 0 -v "begun/$name"
says ': too early: 4 snapshots'
says_not '^note: '
ask 0 -v "$there"
says '^snapshots \[4\] to \[59\]'
# No output goes over what is read.
go_on "$there" "$run"
! "$pmem" html -o "$there" "begun/$name" >out 2>err || wrong "the log was written over"
[ "$(sed -n '1s/^# pmem .*/log/p' "$there")" = log ] || wrong "the log is gone"

# A server that begins as root in another user's folder begins in the fallback folder, and goes on where
# it began once it is that user.
mv "begun/$name" first
cp "$name" "begun/$name"
sed "1a\\
# note $PWD/begun/$name: Permission denied" first >"$there"
same "begun/$name"
same begun
same "$there"
same "$there" "begun/$name"

# Where nothing tells that one log goes on in the other, a page has the findings of both.
cp first beginning.log
cp "$name" rest.log
"$pmem" html --raw -o page.html beginning.log rest.log
MALLOC_PERTURB_=165 "$pmem" html --raw -o other.html beginning.log rest.log
cmp page.html other.html || wrong "the page has what was freed"
