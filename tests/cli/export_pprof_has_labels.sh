#!/bin/sh
# A sample of pprof's profile says by labels whose it is: pid, program, the thread that allocated most of it. So
# several processes lie in one file and can be told apart. What is live under each label of pmem_label() is a value
# of its own. None of that changes the sums.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need go golang-go
export HOME="$PWD" PPROF_TMPDIR="$PWD"

cat >tenants.c <<'E'
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
#include "pmem.h"
static void *volatile kept;
__attribute__((noinline)) void serve(const char *tenant, int bytes)
{
	pmem_label(tenant);
	kept = malloc(bytes);
	kept = malloc(bytes);
	free(kept);
	pmem_label(NULL);
}
static volatile int is_done;
__attribute__((noinline)) void *work(void *none)
{
	pthread_setname_np(pthread_self(), "worker");
	for (int i = 0; i < 100; i++)
		kept = malloc(70);
	is_done = 1;
	return pause(), none;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	serve("acme", 1000 * atoi(argv[1]));
	serve("late comer", 30);
	pthread_create(&thread, NULL, work, NULL);
	while (!is_done)
		sched_yield();
	return argc - 2;
}
E
"$CC" -O1 -D_GNU_SOURCE -fno-builtin -rdynamic -pthread -I"$PMEM_ROOT/src" -o first tenants.c
cp first second
LD_PRELOAD=$PMEM_LIBRARY ./first 1
first=$(echo pmem.*.log | sed 's/^pmem\.\([0-9]*\)\.log$/\1/')
LD_PRELOAD=$PMEM_LIBRARY ./second 2
second=$(echo pmem.*.log | tr ' ' '\n' | sed 's/^pmem\.\([0-9]*\)\.log$/\1/' | grep -vx "$first")
"$pmem" export --to pprof -o both.pb pmem.*.log

# shown WHAT BYTES OPTION...: a function's bytes of what these options leave; none if it is not there.
shown() {
	what=$1
	bytes=$2
	shift 2
	go tool pprof -symbolize=none -top -unit=B -nodefraction=0 -nodecount=1000 "$@" both.pb >top 2>&1 ||
		fail "$*: $(cat top)"
	same "$what with $*" "$bytes" "$(awk -v name="$what" '{
		key = $6
		for (i = 7; i <= NF; i++)
			key = key " " $i
	} key == name { print $1 }' top)"
}
shown serve 3060B
shown serve 1030B -tagfocus="pid=$first"
shown serve 2030B -tagfocus="pid=$second"
shown serve 2030B -tagignore="pid=$first"
shown serve 1030B -tagfocus=program=first
shown serve 2030B -tagfocus=program=second
shown work 14000B -tagfocus=thread=worker
shown serve '' -tagfocus=thread=worker
shown work 7000B -tagfocus=thread=worker -tagignore=program=first
# Under labels of the program: a value of its own, of one process, too.
shown '{label acme}' 3000B -sample_index=inuse_space_by_label
shown '{label late comer}' 60B -sample_index=inuse_space_by_label -tagfocus='label=late comer'
shown '{label acme}' '' -sample_index=inuse_space_by_label -tagfocus='label=late comer'
shown '{label acme}' 2000B -sample_index=inuse_space_by_label -tagfocus="pid=$second"
shown '{label acme}' ''
set -- $(totals "pmem.$first.log") $(totals "pmem.$second.log")
same total $(($1 + $7)) "$(sed -n 's/.*% of \([0-9]*\)B* total$/\1/p' top)"
"$pmem" export --to pprof --value allocs -o both.pb pmem.*.log
# -unit=B makes bytes of calls.
shown '{label acme}' 4B -sample_index=alloc_objects_by_label
# The profile of a part, or of a log without labels, has no value by label.
"$pmem" export --to pprof --match serve -o part.pb pmem.*.log
go tool pprof -raw part.pb >part 2>err
grep by_label part && fail 'labels of a part'
"$pmem" export --raw --to pprof -o none.pb "$log"
go tool pprof -raw none.pb >none 2>err
grep by_label none && fail 'labels of none'
# Eight processes with equal stacks share locations. Only samples are eight times as many.
for i in 1 2 3 4 5 6 7 8; do
	sed "s/4242/$((5000 + i))/g" "$log" >"pmem.$((5000 + i)).log"
done
"$pmem" export --raw --to pprof -o many.pb pmem.500?.log
go tool pprof -raw many.pb >many 2>err
locations() {
	sed '1,/^Locations/d; /^Mappings/,$d' "$1" | wc -l
}
same locations "$(locations none)" "$(locations many)"
same samples "$((8 * $(grep -c ' pid:' none)))" "$(grep -c ' pid:' many)"
