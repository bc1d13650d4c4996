#!/bin/sh
# What a program that does nothing pays for our start and end, in instructions: 75,600 beside those
# that any preloaded library costs when this was written (gcc 12, -O2, glibc 2.36), of which the
# loader takes 14,000 to bind us, and no more than 15 % above that. Counted under callgrind, which is
# exact, for a library built as users build it.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
mkdir lib
(cd lib && CC=gcc CFLAGS='' PREFIX=$PMEM_ROOT "$PMEM_ROOT/compile.sh" library)
echo 'int something;' >other.c
gcc -shared -fPIC -o other.so other.c

# instructions PRELOAD
instructions() {
	LD_PRELOAD=$1 valgrind --tool=callgrind --callgrind-out-file=out /bin/true 2>&1 |
		sed -n 's/.*Collected : *//p'
}

without=$(instructions "$PWD/other.so")
added=$(($(instructions "$PWD/lib/libpmem.so") - without))
echo "figure: a start: $added instructions added to $without"
[ $added -gt 20000 ] || { echo "the library was not there"; exit 1; }
[ $added -le 87000 ] || { echo "more than 87000"; exit 1; }
