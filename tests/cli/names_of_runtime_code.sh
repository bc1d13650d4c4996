#!/bin/sh
# Frames in no file have the names that the log gives them, as they stand there, whatever these look
# like; a name that comes later counts for the source from its start on, and one that is taken back
# for none.

set -eu
pmem=$PMEM_BUILD/pmem

# entry ID LIVE: a block of so many bytes, of one call.
entry() {
	echo "{$1} live:$2, alloc:$3/$2, free:0/0, blocks:1, allocs:$4/1, frees:0/0"
}

# snapshot NUMBER MORE: with entries of three sources, of which two get `more` bytes.
head_of() {
	printf '[%3d]=========================================================\n' "$1"
	echo "churn=$2/1048576"
	echo "time=2026-11-22T10:00:0$1.000Z reason=churn live=$3/3 alloc=$3/3 free=0/0 peak=$3@2026-11-22T10:00:00.000Z sources=3/65536 shown=3 hidden=0 emptied=0/0"
}

log_of() {
	cat <<'END'
# pmem 2 pid=7 ppid=1 start=2026-11-22T10:00:00.000Z exe=/srv/run frames=64 sources=65536 threads=1024 show=100 show_empty=25 show_threads=16 hours=24 begin=8388608 rate=2446677 memory_max=1 log_max=67108864 log_keep=1 host=vm pidns=1 run=0000000000000007
# module 0x1000-0x2000 - /srv/run

END
	head_of 0 600 600
	printf '\n'
	entry 0000000000000001 100 100 1
	cat <<'END'
  {0} /opt/libpmem.so(malloc+0x0) [0x9000]
  {1} (JS:*keep (a) /srv/a b.part.js:1:2+0x12) [0x5012]
  {2} (JS:^re:(x /srv/app.js:3:4+0x1) [0x5101]
  {3} (py::<lambda>:/srv/x.py+0x5) [0x5205]
  {4} /srv/run(main+0x10) [0x1010]

END
	entry 0000000000000002 200 200 1
	cat <<'END'
  {0} /opt/libpmem.so(malloc+0x0) [0x9000]
  {1} [0x6010]
  {2} /srv/run(main+0x10) [0x1010]

END
	entry 0000000000000003 300 300 1
	cat <<'END'
  {0} /opt/libpmem.so(malloc+0x0) [0x9000]
  {1} (Lcom/Shop;::take(I)V+0x10) [0x7010]
  {2} (JS:~kept /srv/app.js:5:1+0x10) [0x7110]
  {3} /srv/run(main+0x10) [0x1010]

END
}

log_of >one.log
"$pmem" report --raw one.log >out
grep -q 'JS:keep (a) a b.part.js:1:2 < JS:re:(x app.js:3:4 < py::<lambda>:/srv/x.py$' out
grep -q 'Lcom/Shop;::take(I)V < JS:kept app.js:5:1$' out
grep -q '\[0x6010\] < main$' out
"$pmem" report one.log 2>/dev/null >named
grep -q 'JS:keep (a) a b.part.js:1:2 < JS:re:(x app.js:3:4 < py::<lambda>:/srv/x.py$' named
"$pmem" export --to collapsed one.log 2>/dev/null >out
grep -q 'py::<lambda>:/srv/x.py;JS:re:(x /srv/app.js:3:4;JS:keep (a) /srv/a b.part.js:1:2;' out

# A regular expression keeps its first letter.
sed 's/JS:^re:(x .srv.app.js:3:4/RegExp:^foo/' one.log >expression.log
"$pmem" export --to collapsed expression.log 2>/dev/null | grep -q ';RegExp:^foo;'

# The second has its name by now, and one of the third's is taken back.
{
	log_of
	echo '# moved 0x7010'
	echo
	head_of 1 0 600
	printf '\n'
	entry 0000000000000001 100 0 0
	printf '\n'
	entry 0000000000000002 200 0 0
	cat <<'END'
  {0} /opt/libpmem.so(malloc+0x0) [0x9000]
  {1} (JS:*late /srv/app.js:9:1+0x10) [0x6010]
  {2} /srv/run(main+0x10) [0x1010]

END
	entry 0000000000000003 300 0 0
	echo
} >two.log
"$pmem" report two.log >out 2>err
grep -q 'JS:late app.js:9:1$' out || { cat out err; exit 1; }
! grep -q 'Lcom/Shop' out || { echo "a name that was taken back is shown"; exit 1; }
grep -q 'JS:kept app.js:5:1$' out

# Of two processes the same functions lie elsewhere, and are compiled in another way.
sed -e 's/0x5012/0x8012/; s/JS:\*keep/JS:^keep/; s/{0000000000000001}/{00000000000000aa}/; s/run=.*7$/run=0000000000000008/' \
	-e 's/host=vm/host=other/' one.log >other.log
"$pmem" diff --by-name one.log other.log >out 2>/dev/null
grep -q ' 3 sources with the same live$' out || { cat out; exit 1; }
# However V8 compiled a function, its place is one. Each stack by itself is another.
"$pmem" diff one.log other.log >out 2>/dev/null
grep -q ' 3 sources with the same live$' out || { cat out; exit 1; }
"$pmem" diff --stacks one.log other.log >out 2>/dev/null
grep -q 'JS:keep (a) .*' out || { cat out; exit 1; }

# What the language brings along, and packages, tell less than the program; where nothing of it is there
# they tell all the same.
sed -e 's/(JS:\*keep .*+0x12)/(long java.util.zip.Inflater.init(boolean)+0x12)/' \
	-e 's/(JS:^re.*+0x1)/(void Shop.take(java.util.List)+0x1)/' \
	-e 's/(py::.*+0x5)/(void com.sun.net.httpserver.Filter$Chain.doFilter(int)+0x5)/' \
	-e 's/(Lcom.*+0x10)/(JS:*read \/srv\/node_modules\/body\/raw.js:5:1+0x10)/' one.log >java.log
"$pmem" report --raw java.log >out
grep -q ' void Shop.take(java.util.List)$' out || { cat out; exit 1; }
grep -q ' JS:kept app.js:5:1$' out || { cat out; exit 1; }
sed 's/(void Shop.take(java.util.List)/(void java.util.List.add(int)/' java.log >all.log
"$pmem" report --raw all.log >out
grep -q ' long java.util.zip.Inflater.init(boolean) < void java.util.List.add(int) < .*doFilter(int)$' out ||
	{ cat out; exit 1; }

# Where none has a name it is said how they are had; not where one has.
sed -e 's/^\(  {[0-9]*} \)(.*) \(\[0x[0-9a-f]*\]\)$/\1\2/' one.log >none.log
for command in report "leaks -v"; do
	# shellcheck disable=SC2086
	"$pmem" $command none.log >out 2>/dev/null || true
	grep -q '^note: 3 sources are in code made at run time, without names: start node with --perf-basic-prof' out ||
		{ echo "$command says nothing of names that could be had"; cat out; exit 1; }
	# shellcheck disable=SC2086
	"$pmem" $command one.log >out 2>/dev/null || true
	! grep -q 'without names' out || { echo "$command misses names that are there"; exit 1; }
done
