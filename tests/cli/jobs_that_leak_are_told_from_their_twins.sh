#!/bin/sh
# long
# Twenty short runs of real programs, each with other work: what keeps memory with its work leaks, by its
# line and with the planted rate; its twin keeps a table, and is told so. Runs that are killed do not count.
# Forked children are runs, and their parent's work is not theirs. A program of Debian's leaks as told.

set -eu
pmem=$PMEM_BUILD/pmem
fail() {
	echo "$1"
	cat out
	exit 1
}
cat >job.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char *kept[3000], *table;
__attribute__((noinline)) void learn(void) { table = memset(malloc(65536), 1, 65536); }
__attribute__((noinline)) void load(int i) { kept[i] = memset(malloc(3000), 1, 3000); }
__attribute__((noinline)) void turn(void) { free(memset(malloc(9000), 1, 9000)); }
static void
work(int times, int leaks)
{
	for (int i = 0; i < times; i++) {
		load(i);
		turn();
		if (!leaks)
			free(kept[i]);
	}
}
int
main(int count, char **arguments)
{
	int times = atoi(arguments[1]);
	learn();
	if (count > 3) {
		work(2000, 0);
		for (int i = 1; i <= 20; i++)
			if (fork() == 0) {
				work(i * 100, 1);
				exit(0);
			}
		while (wait(NULL) > 0)
			continue;
		return 0;
	}
	work(times, arguments[2][0] == 'l');
	if (arguments[2][1] == 'k')
		kill(getpid(), 9);
	return 0;
}
END
"$CC" -O1 -g -fno-builtin -rdynamic -o job job.c
cp job twin
runs() {
	mkdir "$1"
	cd "$1"
	i=0
	while [ $i -lt 20 ]; do
		i=$((i + 1))
		$2
	done
	cd ..
}
each() {
	LD_PRELOAD=$PMEM_LIBRARY ../job $((i * 100)) l
	LD_PRELOAD=$PMEM_LIBRARY ../twin $((i * 100)) t
	[ $i -gt 3 ] || LD_PRELOAD=$PMEM_LIBRARY ../job $((i * 100)) lk || :
}
runs mixed each 2>/dev/null
"$pmem" leaks -v mixed >out
# 3,000 of 12,000 bytes, and a quarter of a MiB.
grep -Eq '^leaks: job: 20 of 20 runs leave 293 KiB to 5\.72 MiB in load [^ ]*job.c:8 < work < main; 256 KiB more per MiB allocated$' out || fail "job"
grep -Eq '^no leak: twin: 20 of 20 runs leave 64\.0 KiB each in learn [^ ]*job.c:7 < main: the same after more work$' out || fail "twin"
grep -Eq '^too early to tell of 3 processes: 3 job ' out || fail "killed"

mkdir forked
(cd forked && LD_PRELOAD=$PMEM_LIBRARY ../job 0 l forks)
"$pmem" leaks -v forked >out
grep -Eq '^leaks: job: 20 of 21 runs leave 293 KiB to 5\.72 MiB in load .*; 25[0-9] KiB more per MiB allocated' out || fail "forked"

command -v bash >/dev/null || { echo "skipped: needs bash"; exit 77; }
script='for ((k = 0; k < '
bash_leaks() { LD_PRELOAD=$PMEM_LIBRARY bash -c "$script $i * 200; k++)); do x[k]=\"entry \$k\"; done; :"; }
bash_twin() { LD_PRELOAD=$PMEM_LIBRARY bash -c "$script $i * 200; k++)); do x=\"entry \$k\"; done; :"; }
runs bash bash_leaks
"$pmem" leaks -v bash >out
grep -Eq '^leaks: bash: 20 of 20 runs leave .*; .* more per MiB allocated$' out || fail "bash leaks"
runs bash-twin bash_twin
"$pmem" leaks -v bash-twin >out
grep -Eq '^(no leak|not judged): bash: 20 of 20 runs ' out || fail "bash is not told"
! grep '^leaks: ' out || fail "bash's twin leaks"
echo "figure: $("$pmem" leaks mixed forked bash bash-twin | wc -l) lines of 124 runs"

# Two scripts of one interpreter are two programs.
[ -x /usr/bin/python3 ] || { echo "skipped: needs python3"; exit 77; }
cat >feed.py <<'END'
import ctypes, sys

def parse(number):
    entry = bytearray(3000)
    if "feed" in sys.argv[0]:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(entry))
    return bytes(9000)

for number in range(int(sys.argv[1]) * 200):
    parse(number)
END
cp feed.py twin.py
scripts() {
	[ $i -le 10 ] || return 0
	for script in ../feed.py ../twin.py; do
		LD_PRELOAD=$PMEM_LIBRARY PYTHONMALLOC=malloc /usr/bin/python3 $script $((i * 2))
	done
}
runs python scripts
"$pmem" leaks -v python >out
grep -Eq '^leaks: python3 feed.py: 10 of 10 runs leave 1\.1[0-9] MiB to 11\.[0-9] MiB in feed.py:4 in parse.*; 25[0-9] KiB more per MiB allocated' out ||
	fail "feed.py"
grep -Eq '^(no leak|not judged): python3 twin.py: 10 of 10 runs ' out || fail "twin.py"
