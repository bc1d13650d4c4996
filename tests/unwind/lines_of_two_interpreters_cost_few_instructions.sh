#!/bin/sh
# What a turn of a loop in Python, with some ten blocks that it has and gives back, costs more than
# without the library where Ruby is in the process, too, in instructions, eight lines deep: 6,280 when
# this was written (Debian's CPython 3.11 and Ruby 3.1, gcc 12, -O2), and no more than 15 % above that.
# It was 10,290 when stacks that end in one of two loops were unwound each time, since nothing but how
# the last one ended told in which. Code that Ruby has compiled is such a second loop, too. Counted
# under callgrind, which is exact.

. "$PMEM_ROOT/tests/lib/counted.sh"
needs ruby
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
ruby=$(ldd "$(command -v ruby)" | sed -n 's/.*libruby[^ ]* => \([^ ]*\) .*/\1/p')
[ -n "$ruby" ] || { echo "skipped: ruby has no library"; exit 77; }
build "$quiet"

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

export PYTHONMALLOC=malloc
none=$(a_turn "$ruby" /usr/bin/python3.11 -S both.py)
added=$(($(a_turn "$ruby:$library" /usr/bin/python3.11 -S both.py) - none))
echo "figure: a turn: $added instructions added to $none"
within $added 3000 7220
