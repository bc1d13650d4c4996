#!/bin/sh
# `pmem run --report COMMAND` tells on standard error what leaks and what holds most, from the
# logs of this run alone; output, status and signals stay the command's, and the readers leave
# no logs.

set -eu
pmem=$PMEM_BUILD/pmem
cat >leaky.c <<'END_C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
// leaky STATUS [FORKS]: leaks, says so, and ends with the status; or by the signal, below 0.
void *forgets_it(void) {
	return malloc(1000);
}
int main(int argc, char **argv) {
	int status = atoi(argv[1]);
	int forks = argc > 2 ? atoi(argv[2]) : 0;
	while (forks-- > 0)
		if (fork() == 0)
			forks = -1;
	for (int i = 0; i < 5000; i++) {
		void *volatile kept = forgets_it();
		for (int j = 0; j < 10; j++)
			free(malloc(100));
		(void)kept;
	}
	while (wait(NULL) > 0)
		;
	puts("output");
	fflush(stdout);
	if (status < 0)
		raise(-status);
	return status;
}
END_C
$CC -fno-builtin -g -o leaky leaky.c
wrong() {
	echo "$1"
	cat words
	exit 1
}

# check STATUS OUTPUT: the command's; and what was told.
check() {
	[ $status -eq "$1" ] || wrong "status $status, not $1"
	[ "$(cat output)" = "$2" ] || wrong "output"
	grep -q '^pmem: log: ' words || wrong "the logs are not listed"
	sed '/^pmem: log: /d' words >told
	grep -q 'forgets_it' told || wrong "no source"
	grep -q '^ *live ' told || wrong "no table"
	# So short a time tells now that it grows, now that it is too short.
	grep -Eq '^leaky .*\(process [0-9]+[^)]*\): (too early|no leak): |^(nothing leaks|too early to tell) |^not judged: leaky: 4 of 4 runs leave ' told ||
		wrong "no verdict"
	! grep -Eq '\) leaks |^leaks: |^[0-9]* of [0-9]* process.* leaks?' told || wrong "a leak of some milliseconds"
	! grep -q '^pmem: .*no such' words || wrong "a part that is not there"
}
status=0
"$pmem" run --report ./leaky 0 >output 2>words || status=$?
check 0 output
[ "$(ls pmem.*.log | wc -l)" -eq 1 ] || wrong "the readers left logs"

# Whatever the command's end. An older log is not told of.
rm pmem.*.log
echo '# pmem 1 pid=1 ppid=1 start=2001-01-01T00:00:00.000Z exe=/older' >pmem.1.log
status=0
"$pmem" run --report ./leaky 3 >output 2>words || status=$?
check 3 output
! grep -q -e /older -e "pmem.1.log" words || wrong "an older log"
status=0
"$pmem" run --report -- ./leaky -15 >output 2>words || status=$?
check 143 output

# Several processes are taken together.
rm pmem.*.log
status=0
"$pmem" run --report ./leaky 0 3 >output 2>words || status=$?
check 0 'output
output
output
output'
[ "$(grep -c '^pmem: log: ' words)" -eq 4 ] || wrong "four logs"
grep -q '20,000' told || wrong "the sum of four"

# Without logs there is nothing to tell. Without the option nothing is told.
mkdir none
status=0
(cd none && "$pmem" run --report true) >output 2>words || status=$?
[ $status -eq 0 ] || wrong "status $status"
status=0
"$pmem" run ./leaky 0 --report >output 2>words || status=$?
[ $status -eq 0 ] && ! grep -q forgets_it words || wrong "not asked for"

# Where all is freed at the end, what holds most is told of the peak.
cat >frees.c <<'END_C'
#include <stdlib.h>
static void *held[5000];
void *hoards_it(void) {
	return malloc(1000);
}
int main(void) {
	for (int i = 0; i < 5000; i++)
		held[i] = hoards_it();
	for (int i = 0; i < 5000; i++)
		free(held[i]);
	return 0;
}
END_C
$CC -fno-builtin -g -o frees frees.c
rm -f pmem.*.log
"$pmem" run --report ./frees >output 2>words
grep -q '4,[0-9]* .*hoards_it' words || grep -q '5,000 .*hoards_it' words || wrong "nothing of the peak"

# Nobody to listen: the status is still the command's.
for to in '/dev/full' '&-'; do
	status=0
	eval '"$pmem" run --report ./leaky 4 >output 2>'"$to" || status=$?
	[ $status -eq 4 ] && [ "$(cat output)" = output ] || wrong "2>$to: status $status"
done

# What the command has left of its input is not eaten by those who report.
printf 'one\ntwo\n' >input
{
	"$pmem" run --report sh -c './leaky 0; read -r line; echo "$line"' >output 2>words
	read -r left
} <input
[ "$(tail -1 output)" = one ] && [ "$left" = two ] || wrong "input: $left"

# Those who report can be interrupted: signals are not blocked, as they are in pmem run, where
# they are passed on. Asked by what they run themselves, and for a while: at a start they are.
mkdir tools
cat >tools/llvm-symbolizer <<'END_SCRIPT'
#!/bin/sh
for try in 1 2 3 4 5 6 7 8 9 10; do
	grep SigBlk "/proc/$PPID/status" >"$BLOCKED"
	cmp -s "$BLOCKED" "$BLOCKED.free" && exit
	sleep 0.1
done
END_SCRIPT
chmod +x tools/llvm-symbolizer
cp tools/llvm-symbolizer tools/addr2line
cp tools/llvm-symbolizer tools/eu-addr2line
grep SigBlk /proc/self/status >blocked.free
BLOCKED=$PWD/blocked PATH=$PWD/tools:$PATH "$pmem" run --report ./leaky 0 >output 2>words ||
	wrong "status $?"
cmp blocked blocked.free || wrong "$(cat blocked)"
