#!/bin/sh
# A signal sent to pmem arrives at the command, also one that pmem was started to ignore.

set -eu
cat >tell.c <<'END'
#include <signal.h>
#include <stdio.h>
// Prints the number of each signal that comes, up to SIGTERM.
int main(void) {
	int number;
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	do {
		sigwait(&all, &number);
		printf("%d\n", number);
	} while (number != SIGTERM);
	return 42;
}
END
$CC -o tell tell.c
mkfifo told
trap '' HUP
# A shell without job control has its background ignore INT and QUIT.
"$PMEM_BUILD/pmem" run -- ./tell >told &
pmem=$!
exec 3<told
expect() {
	read -r line <&3
	[ "$line" = "$1" ] || {
		echo "$1 arrived as $line"
		kill -9 $pmem
		exit 1
	}
}
expect ready
for number in 1 2 3 6 10 12 14 18 28 40 15; do
	kill -$number $pmem
	expect $number
done
status=0
wait $pmem || status=$?
[ $status -eq 42 ]
