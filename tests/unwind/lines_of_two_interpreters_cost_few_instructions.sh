#!/bin/sh
# What a turn of a loop in Python, with some ten blocks that it has and gives back, costs more than
# without the library where Ruby is in the process, too, in instructions, eight lines deep: 6,280 when
# this was written (Debian's CPython 3.11 and Ruby 3.1, gcc 12, -O2), and no more than 15 % above that.
# It was 10,290 when stacks that end in one of two loops were unwound each time, since nothing but how
# the last one ended told in which. Code that Ruby has compiled is such a second loop, too. Counted
# under callgrind, which is exact.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
command -v ruby >/dev/null 2>&1 || { echo "skipped: needs ruby"; exit 77; }
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
ruby=$(ldd "$(command -v ruby)" | sed -n 's/.*libruby[^ ]* => \([^ ]*\) .*/\1/p')
[ -n "$ruby" ] || { echo "skipped: ruby has no library"; exit 77; }
mkdir lib
# No snapshot among them.
(cd lib && CC=gcc CFLAGS='-DPMEM_CHURN_THRESH=0x10000000000 -DPMEM_LOOK_MS=0' PREFIX=$PMEM_ROOT \
	"$PMEM_ROOT/compile.sh" library)

cat >both.py <<'END'
import ctypes, sys

ruby = ctypes.CDLL(None)
status = ctypes.c_int(0)
ruby.ruby_setup()
ruby.ruby_init_loadpath()
code = b"$kept = []; 20.times { |i| $kept << 'a' * (600 + i) }"
ruby.rb_eval_string_protect(code, ctypes.byref(status))
assert status.value == 0

# By other instructions of the interpreter's loop each.
def work(n):
    for i in range(n):
        a = bytearray(600)
        b = [i, i] * 40
        c = a + a

def deep(depth, n):
    return work(n) if depth == 0 else deep(depth - 1, n)

deep(8, 100)
deep(8, int(sys.argv[1]))
END

# instructions PRELOAD COUNT
instructions() {
	LD_PRELOAD=$1 PYTHONMALLOC=malloc valgrind --tool=callgrind --callgrind-out-file=out \
		/usr/bin/python3.11 -S both.py "$2" 2>&1 | sed -n 's/.*Collected : *//p'
}

# a_turn PRELOAD
a_turn() {
	few=$(instructions "$1" 200)
	many=$(instructions "$1" 1200)
	echo $(((many - few) / 1000))
}

none=$(a_turn "$ruby")
with=$(a_turn "$ruby:$PWD/lib/libpmem.so")
added=$((with - none))
echo "figure: a turn: $added instructions added to $none"
[ $added -gt 3000 ] || { echo "the library was not there, or had no lines"; exit 1; }
[ $added -le 7220 ] || { echo "more than 7,220"; exit 1; }
