#!/bin/sh
# Of a process that runs the report says how long ago its last snapshot was: silence means that it
# stood still. Not of an earlier moment, and not of one that has ended.

set -eu
pmem=$PMEM_BUILD/pmem
cat >host.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 3000; i++)
		free(malloc(1000));
	sleep(1000);
	return 0;
}
END
$CC -O1 -fno-builtin -o host host.c
LD_PRELOAD=$PMEM_LIBRARY ./host &
pid=$!
trap 'kill $pid' EXIT
for try in $(seq 100); do
	[ ! -e pmem.$pid.log ] || [ "$(grep -c '^churn=' pmem.$pid.log)" -lt 5 ] || break
	sleep 0.1
done
sleep 1
heading() {
	"$pmem" report "$@" pmem.$pid.log | sed -n 2p
}
heading | grep -Eq '^snapshot .*, the last so far, [0-9.]+(s|ms) ago; the process runs$' ||
	{ heading; exit 1; }
! heading --at first | grep 'ago' || exit 1
kill $pid
wait $pid || true
trap - EXIT
heading | grep -q '^snapshot .*, the last so far$' || { heading; exit 1; }
