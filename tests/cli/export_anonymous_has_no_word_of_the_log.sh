#!/bin/sh
# pmem export --to log --anonymous: a copy with no word of the log's own, wherever that stood, though paths
# keep their form; that is a log to the letter, has all its numbers, and is judged as the log is.

set -eu
pmem=$PMEM_BUILD/pmem
unset LC_ALL
export LC_ALL=C
fail() {
	echo "$1"
	exit 1
}

# A program whose folder, name, arguments, threads, labels and notes all have the word.
cat >host.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include "pmem.h"
static void *volatile kept;
__attribute__((noinline)) void
leak_here(void)
{
	for (int i = 0; i < 3000; i++)
		kept = malloc(1000);
	kept = NULL;
}
static void *
work(void *unused)
{
	pthread_setname_np(pthread_self(), "zebra/wo rk");
	leak_here();
	return unused;
}
int
main(int argc, char **argv)
{
	pthread_t thread;
	pmem_label("zebra tenant");
	leak_here();
	if (pmem_snapshot("zebra now") < 0 || pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	pthread_join(thread, NULL);
	if (argc > 1)
		memcpy(argv[0], "zebra: idle", 11);
	prctl(PR_SET_NAME, "zebra");
	leak_here();
	return 0;
}
END
folder='zebra (a) [0x1]+0x1 in b'
mkdir "$folder" one two copy
$CC -I"$PMEM_ROOT/src" -O1 -fno-builtin -rdynamic -pthread -D_GNU_SOURCE -w -o "$folder/zebra.so (x)" host.c
host="$PWD/$folder/zebra.so (x)"
(cd one && LD_PRELOAD=$PMEM_LIBRARY "$host" --zebra=1 zebra.py '' -zebra)
(cd two && LD_PRELOAD=$PMEM_LIBRARY "$host")
# And logs of all kinds, whose words are others.
for log in "$PMEM_ROOT"/tests/cli/logs/*.log*; do
	sed -E 's,/srv|/usr/bin|server,/zebra,g; s/ host=[^ ]*/ host=zebra/; s/^(# note .*)/\1 zebra/' "$log" >"one/${log##*/}"
done
sed '/^# module/i\
# note zebra: it is so\
# unknown zebra
s/^time=.*/& other=zebra/' one/languages.log >one/pmem.1.log
cat >one/pmem.2.log <<'END'
# pmem 5 pid=2 ppid=1 start=2026-11-21T00:00:00.000Z exe=/zebra/a\x20zebra zebra=zebra libc=musl stacks=backtrace stacks=zebra frames=64 host=zebra run=00000000000000ab
# note nothing could be written from 2026-11-21T00:00:00.000Z to 2026-11-21T00:00:01.000Z: zebra
# note nothing can be written since 2026-11-21T00:00:00.000Z: zebra
# note these call malloc and free past the library: /zebra, /x, zebra; what they allocate is not recorded
# note CALLERS ARE MISSING from here on: zebra
# map inode=1 bytes=2 read=2 /tmp/zebra.map

[  0]=========================================================
churn=300/1
time=2026-11-21T00:00:01.000Z reason=zebra live=300/3 alloc=300/3 peak=300@00:00:01.000Z sources=3/65536 shown=3
memory rss=4096 file=0 outside=3796 malloc=7% other=zebra

{0000000000000001} live:100, alloc:100/100, free:0/0, blocks:1, allocs:1/1, frees:0/0 by:7/zebra/a/60%
  {0} /usr/lib/libpmem.so(operator new(unsigned long)+0x0) [0x7f0000000000]
  {1} (JS:*handler /zebra/zebra.js:12:3+0x1f) [0x7f0000000001]
  {2} (py::handler:/zebra/zebra app.py+0x1f) [0x7f0000000002]
  {3} (zebra/zebra+0x1f) [0x7f0000000003]
  {4} /zebra/zebra(main+0x1f) [0x7f0000000004]
  {5} [0x7f0000000005]
  {6} (RegExp:zebra word+0x1f) [0x7f0000000006]
  {7} (RegExp:zebra+0x1f) [0x7f0000000007]

{0000000000000002} live:100, alloc:100/100, free:0/0, blocks:1, allocs:1/1, frees:0/0 unseen
  {0} /usr/lib/libpmem.so(malloc+0x0) [0x7f0000000010]
  {1} /zebra/x:3 in y/zebra app.py:12 in Handler.get [python]
  {2} <zebra>:1 in <module> [python]
  {3} <frozen zebra>:1 in <module> [python]
  {4} <internal:zebra>:1 in times [ruby]

{0000000000000003} live:100, alloc:100/100, free:0/0, blocks:1, allocs:1/1, frees:0/0 by:7/zebra/60% < zebra < zebra.so+0x1
  {0} /usr/lib/libpmem.so(malloc+0x0) [0x7f0000000010]

END

numbers() {
	"$pmem" export --to ndjson "$1" 2>told | sed 's/"[a-z_]*":"[^"]*"//g; s/"[^"]*"//g'
}
count=0
for log in one/*.log two/*.log; do
	copy=copy/anonymous.log
	"$pmem" export --to log --anonymous -o $copy "$log" 2>err || [ -s err ] || fail "$log: no copy"
	! grep -i zebra $copy || fail "$log: the word is in the copy"
	case $log in */pmem.[0-9][0-9]*.log) "$LOGCHECK" $copy ;; esac
	numbers "$log" >numbers.log
	grep -q ': expected ' told || { numbers $copy >numbers.copy && ! grep ': expected ' told; } || fail "$log: damage"
	# What is damaged is left out.
	grep -q ': expected ' told || cmp numbers.log numbers.copy || fail "$log: other numbers"
	count=$((count + 1))
done
[ $count -gt 25 ] || fail "only $count logs"

"$pmem" export --to log --anonymous one/pmem.2.log >copy/2.log
for line in '# pmem 5 .* libc=musl stacks=backtrace frames=64 .*' \
	'  {0} /usr/lib/libpmem.so(operator new(unsigned long)+0x0) \[0x7f0000000000\]' \
	'  {1} (JS:\*handler /n[0-9]*/n[0-9]*[.]js:12:3+0x1f) \[0x7f0000000001\]' \
	'  {2} (py::handler:/n[0-9]*/n[0-9]*[.]py+0x1f) \[0x7f0000000002\]' \
	'  {4} /n[0-9]*/n[0-9]*(main+0x1f) \[0x7f0000000004\]' \
	'  {1} /n[0-9]*/n[0-9]*/n[0-9]*[.]py:12 in Handler.get \[python\]' \
	'  {3} <frozen n[0-9]*>:1 in <module> \[python\]' '  {4} <internal:n[0-9]*>:1 in times \[ruby\]' \
	'# note nothing can be written since 2026-11-21T00:00:00.000Z: .*'; do
	grep -qx "$line" copy/2.log || fail "not there: $line"
done

# Several logs go into a folder, with the same stand-ins; functions' names stay, and what leaks.
mkdir both
"$pmem" export --to log --anonymous -o both one/pmem.[0-9][0-9]*.log two/pmem.*.log
[ "$(ls both | wc -l)" -eq 2 ] && [ "$(sed -n 's/.* exe=\([^ ]*\) .*/\1/p' both/* | sort -u | wc -l)" -eq 1 ] ||
	fail "other stand-ins"
grep -q '(leak_here+0x' both/* || fail "a function's name is gone"
gzip -c two/pmem.*.log >packed.gz && mv packed.gz "$(ls two/pmem.*.log | sed 's,two,one,').gz"
mkdir unpacked
"$pmem" export --to log --anonymous -o unpacked one/pmem.*.gz one/seed.log
[ "$(ls unpacked)" = "$(ls two; echo pmem.2.log)" ] || [ "$(ls unpacked)" = "$(echo pmem.2.log; ls two)" ] ||
	fail "other names: $(ls unpacked)"
[ "$("$pmem" report -n 3 two/pmem.*.log | grep -c 'leak_here < main')" -eq \
	"$("$pmem" report -n 3 both/"$(ls two)" | grep -c 'leak_here < main')" ] || fail "other rows"
"$pmem" export --to log two/pmem.*.log | cmp - two/pmem.*.log || fail "a copy that is not anonymous differs"

refused() {
	status=0
	"$pmem" export "$@" >out 2>err || status=$?
	[ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || { cat err; fail "not refused: $*"; }
}
refused --to csv --anonymous two/pmem.*.log
refused --to log --anonymous one/pmem.1.log two/pmem.*.log
refused --to log --anonymous -o two two/pmem.*.log
refused --to log --at last two/pmem.*.log
mkdir parts
: >"parts/$(ls two).1"
refused --to log -o parts two/pmem.*.log one/seed.log
[ "$(ls parts)" = "$(ls two).1" ] || fail "something was written"
refused --to log --match x two/pmem.*.log

# A copy is judged as its log is: by the same numbers, at the same times.
real=$PMEM_ROOT/tests/cli/leaks/logs/unbound-small-leak.log.gz
"$pmem" export --to log --anonymous -o judged.log "$real"
numbers() {
	"$pmem" leaks --json --raw "$1" | grep -oE '"(verdict|detail|rate|growth_bytes|since)":[^,}]*'
}
numbers "$real" >real.numbers
numbers judged.log | cmp - real.numbers || fail "judged otherwise"
grep -q '"verdict":"leaks"' real.numbers || fail "nothing leaks there"
