# counted: what the tests share that count instructions under valgrind, which is exact; each of
# them sources it first.

set -eu

# needs PROGRAM...: each is in a Debian package of that name.
needs() {
	for program; do
		command -v "$program" >/dev/null 2>&1 || { echo "skipped: needs $program"; exit 77; }
	done
}
needs gcc valgrind

# build FLAGS: sets `library`, as users build it but for these, whatever CFLAGS says.
build() {
	mkdir lib
	(cd lib && CC="${TEST_CCACHE}gcc" CFLAGS=$1 PREFIX=$PMEM_ROOT "$PMEM_ROOT/compile.sh" library)
	library=$PWD/lib/libpmem.so
}

# Of these, so that no snapshot comes among what is counted.
quiet="-DPMEM_CHURN_THRESH=0x10000000000 -DPMEM_LOOK_MS=0"

# allocator NAME: sets `beneath`, the path of lib$NAME; of "": glibc's malloc, which has none.
allocator() {
	beneath=
	[ "$1" ] || return 0
	beneath=$(gcc -print-file-name="lib$1")
	[ "$beneath" != "lib$1" ] || { echo "skipped: needs lib$1"; exit 77; }
}

# instructions PRELOAD COMMAND...: of all that it does. Cachegrind counts as callgrind does, in a third of the time.
instructions() {
	preload=$1
	shift
	LD_PRELOAD=$preload valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=out "$@" 2>&1 \
		| sed -n 's/.*I *refs: *//p' | tr -d ,
}

# a_turn PRELOAD COMMAND...: of each of as many turns as one more argument says.
a_turn() {
	few=$(instructions "$@" 2000)
	many=$(instructions "$@" 6000)
	echo $(((many - few) / 4000))
}

# marked PRELOAD COMMAND...: of what stands between CALLGRIND_START_INSTRUMENTATION and
# CALLGRIND_STOP_INSTRUMENTATION.
marked() {
	preload=$1
	shift
	LD_PRELOAD=$preload valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=out \
		"$@" 2>&1 | sed -n 's/.*Collected : *//p'
}

# within COUNT LEAST MOST: below LEAST the library was not there.
within() {
	[ "$1" -gt "$2" ] || { echo "the library was not there"; exit 1; }
	[ "$1" -le "$3" ] || { echo "more than $3"; exit 1; }
}

# each_of COMMAND FEW MANY: sets `few` and `cost`, what one of so many takes, where the command is told
# how many: of FEW, and of MANY.
each_of() {
	few=
	for count in "$2" "$3"; do
		cost=$(($(marked "$library" "$1" "$count") / count))
		echo "figure: of $count: $cost instructions a pair"
		[ $cost -gt 100 ] || { echo "nothing was counted"; exit 1; }
		: "${few:=$cost}"
	done
}
