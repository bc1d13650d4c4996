#!/bin/sh
# What fork's children have from before their forks is counted once in `pmem report`, exports and
# `pmem top` of several processes: with their parent, or, where its log is not there, with one of
# them.

set -eu
pmem=$PMEM_BUILD/pmem
wrong() {
	echo "$1"
	cat out err
	exit 1
}
cat >prefork.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define FRAME __attribute__((noinline))
static void *volatile kept;

FRAME void load(void) { for (int i = 0; i < 1000; i++) kept = malloc(1000); }
FRAME void work(void) { for (int i = 0; i < 100; i++) kept = malloc(1000); }

int
main(void)
{
	int status = 0, all = 0;

	load();
	for (int i = 0; i < 3; i++) {
		if (fork() == 0) {
			work();
			exit(0);
		}
		wait(&status);
		all |= status;
	}
	return all;
}
END
$CC -O1 -rdynamic -o prefork prefork.c
LD_PRELOAD=$PMEM_BUILD/libpmem.so ./prefork
# Pids may begin anew, but a child's log says whose it is.
parent=$(grep -L '^# forked from' pmem.*.log)
# shellcheck disable=SC2046
set -- $(grep -l '^# forked from' pmem.*.log)
[ $# -eq 3 ] || { echo "$# children"; exit 1; }

# ask ARGUMENT...
ask() {
	"$pmem" report --bytes "$@" >out 2>err || wrong "pmem report $*: status $?"
}
row() {
	grep -Eq "^ *$1 .* $2 < main" out || wrong "$2 has not $1"
}

ask "$1"
grep -Eq '^live 11[0-9]{5} in ' out || wrong "not the child's"
grep -q '^of these 10[0-9]* in 10[0-9]* blocks from before the fork' out || wrong "not told"

# All four: one thousand of the parent's, and a hundred each. Besides, less than 60 blocks.
ask "$parent" "$@"
grep -Eq '^4 processes: live 13[0-9]{5} in 1[34][0-9]{2} blocks' out || wrong "not once"
grep -Eq '^another 30[0-9]{5} in 3 processes are from before the fork, and counted once' out ||
	wrong "not told"
row 1000000 load
row 300000 work
! grep -q '{rest}' out || wrong "more than theirs"
# In any order, and as long as one of them has it.
ask "$@" "$parent"
grep -Eq '^4 processes: live 13[0-9]{5} in ' out || wrong "not once, in another order"
ask "$2" "$parent"
grep -Eq '^2 processes: live 11[0-9]{5} in ' out || wrong "not once of two"
grep -Eq '^another 10[0-9]{5} in 1 process is from ' out || wrong "not told of one"
ask "$@"
grep -Eq '^3 processes: live 13[0-9]{5} in ' out || wrong "not once without the parent"

# An export adds up to the same.
"$pmem" export --to collapsed --raw "$parent" "$@" >out
awk '{ sum += $NF } END { exit !(sum >= 1300000 && sum < 1400000) }' out || wrong "export"

# A process that is no relation has its own.
cp "$parent" other.log
sed -i '1s/ pid=[0-9]*/ pid=1/' other.log
ask other.log "$1"
grep -Eq '^2 processes: live 21[0-9]{5} in ' out || wrong "of others"

# Of processes that may run still, on another machine, top's sum has it once, too.
mkdir elsewhere
for log in "$parent" "$@"; do
	sed 's/ reason=exit / reason=churn /; /^# pmem /s/ host=[^ ]*/ host=another/' "$log" >"elsewhere/$log"
done
"$pmem" top --once --bytes elsewhere >out 2>err || wrong "pmem top: status $?"
grep -Eq '^4 processes +live 13[0-9]{5} ' out || wrong "not once in top"
# Whatever a damaged log says of it.
for log in elsewhere/*.log; do
	sed 's/ inherited=[0-9]*/ inherited=99999999999999/' "$log" >damaged && mv damaged "$log"
done
"$pmem" top --once --bytes elsewhere >out 2>err || wrong "pmem top of damaged logs: status $?"
grep -Eq '^4 processes +live [0-9]{1,7} ' out || wrong "less than nothing in top"
