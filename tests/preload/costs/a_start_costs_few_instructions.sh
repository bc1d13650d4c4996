#!/bin/sh
# long
# What a program that does nothing pays for our start and end, in instructions: 83,700 beside those
# that any preloaded library costs when this was written (gcc 12, -O2, glibc 2.36), of which the
# loader takes 14,000 to bind us, and no more than 4 % above that. Counted under callgrind, which is
# exact, for a library built as users build it.
# of whole stacks

. "$PMEM_ROOT/tests/lib/counted.sh"
# Each character of its path is 13 instructions.
short=$(mktemp -d /tmp/pmem.XXXXXX)
trap 'rm -rf "$short"' EXIT
cd "$short"
build ''
echo 'int something;' >other.c
gcc -shared -fPIC -o other.so other.c

without=$(marked "$PWD/other.so" --instr-atstart=yes /bin/true)
added=$(($(marked "$library" --instr-atstart=yes /bin/true) - without))
echo "figure: a start: $added instructions added to $without"
within $added 20000 87000
