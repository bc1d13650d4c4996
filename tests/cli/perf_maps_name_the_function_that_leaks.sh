#!/bin/sh
# long
# What leaks in a planted line of JavaScript is told by its function, file and line: where V8 writes
# a perf map, or a jitdump alone, wherever, as the program runs and when it, its map and its log's folder are
# gone. A map that another process left under the name, or that is none, names nothing.
# of whole stacks

set -eu
command -v node >/dev/null || { echo "skipped: needs nodejs"; exit 77; }
pmem=$PMEM_BUILD/pmem

cat >app.js <<'END'
if (process.env.AWAY) process.chdir(process.env.AWAY);
const sessions = [];
function work() { for (let i = 0; i < 30; i++) Buffer.allocUnsafeSlow(9000); }
function keepSession(id) {
	sessions.push(Buffer.allocUnsafeSlow(10000 + id % 7));
}
function handle(id) { work(); if (id % 4 === 0) keepSession(id); }
let id = 0;
function serve() {
	for (let i = 0; i < 100; i++) handle(id++);
	// What is not collected yet looks like a leak.
	if (globalThis.gc) gc();
	if (id >= 6000) process.kill(process.pid, 'SIGKILL');
	setImmediate(serve);
}
serve();
END

# run SIDE OPTION...: it is killed, so that its map stays; then that goes, and the log elsewhere.
# map_before: what lies under the map's name when it begins; NAME is that.
run() {
	mkdir "$1"
	folder=$PWD/$1
	shift
	(
		cd "$folder"
		sh -c 'NAME=/tmp/perf-$$.map; rm -rf "$NAME"; echo "$NAME" >map; eval "$MAP_BEFORE"
			LD_PRELOAD=$PMEM_LIBRARY exec node "$@" ../app.js' sh "$@"
	) >output 2>&1 || true
	map=$(cat "$folder/map")
	inode=$(stat -c %i "$map" 2>/dev/null) || inode=0
	rm -rf "$map"
	mv "$folder" "$folder.moved"
	log=$(ls "$folder".moved/pmem.*.log)
	"$LOGCHECK" "$log" >check.out || { cat check.out; exit 1; }
}
export MAP_BEFORE

fail() {
	echo "$1"
	cat leaks.out
	exit 1
}

# Compiled in one way, so that it is one source; and what is inlined has no name of its own.
with="--perf-basic-prof --interpreted-frames-native-stack --no-opt --no-sparkplug --expose-gc"
MAP_BEFORE=
# shellcheck disable=SC2086
run named $with
"$pmem" leaks -v --min-time 0 "$log" >leaks.out
sed -n '/^ *verdict/,/^$/p' leaks.out | sed -n 2p | grep -q 'JS:keepSession app.js:4:21' ||
	fail "the function is not told first"
grep -q "^# map inode=$inode bytes=[0-9]* read=[0-9]* $map\$" "$log" || fail "the log does not say what names it"
! grep -q 'JS:work ' leaks.out || fail "what does not leak is told, too"
"$pmem" report --at peak --tree "$log" >leaks.out
grep -q 'JS:serve app.js:9:15' leaks.out || fail "the tree has no function that called"
"$pmem" export --to collapsed "$log" >leaks.out
grep -q ';JS:serve .*/app.js:9:15;JS:handle .*/app.js:7:16;.*JS:keepSession .*/app.js:4:21;' leaks.out ||
	fail "no stack is whole"
# By name the ways in which V8 has compiled a function are one.
"$pmem" diff --by-name "$log" --from 0 >leaks.out
grep -q 'JS:keepSession ' leaks.out || fail "diff does not name it"

# A jitdump, which V8 writes some KiB at a time into the working directory.
# shellcheck disable=SC2086
run dumped --perf-prof ${with#* }
"$pmem" leaks -v --min-time 0 "$log" >leaks.out
sed -n '/^ *verdict/,/^$/p' leaks.out | sed -n 2p | grep -q 'JS:keepSession app.js:4:21.* < JS:handle' ||
	fail "the function in a jitdump is not told first"

# The same where the program goes elsewhere, so that it lies neither there nor in /tmp, as those of LLVM
# and of agents for Java do.
# shellcheck disable=SC2086
AWAY=/ run away --perf-prof ${with#* }
"$pmem" leaks -v --min-time 0 "$log" >leaks.out
sed -n '/^ *verdict/,/^$/p' leaks.out | sed -n 2p | grep -q 'JS:keepSession app.js:4:21.* < JS:handle' ||
	fail "the function in a jitdump elsewhere is not told first"
grep -q "^# map inode=[0-9]* bytes=[0-9]* read=[0-9]* $folder/jit-[0-9]*.dump\$" "$log" ||
	fail "the log does not say where that is"

# A map of before, as of a process that had the number before: with all of the address space in it.
MAP_BEFORE='echo "0 7fffffffffff JS:wrong /wrong.js:1:1" >$NAME'
run foreign --interpreted-frames-native-stack
! grep -q 'wrong\|^# map ' "$log" || { echo "another process's map is believed"; exit 1; }
# V8 makes it its own.
# shellcheck disable=SC2086
run anew $with
! grep -q 'wrong' "$log" || { echo "what was there before is believed"; exit 1; }
grep -q '(JS:.keepSession ' "$log" || { echo "a map begun anew is not read"; exit 1; }
# What is none is not read, nor waited for, and stays as it is.
MAP_BEFORE='mkfifo $NAME'
run fifo --interpreted-frames-native-stack
MAP_BEFORE='echo "0 7fffffffffff JS:wrong /wrong.js:1:1" >other.map; ln -s "$PWD/other.map" $NAME'
run link --interpreted-frames-native-stack
! grep -q 'wrong\|^# map ' "$log" || { echo "a link is followed"; exit 1; }
