#!/bin/sh
# long
# What a turn of a loop in Python, with some ten blocks that it has and gives back, costs more than
# without the library, in instructions, eight lines deep: 6,300 (Debian's CPython 3.11, gcc 12, -O2),
# and no more than 10 % above that. It was 6,640 when a known stack's source was looked up. It was 9,870
# when a stack that ends in the interpreter's loop was unwound each time that another instruction of
# the loop had led to the one before, and lines were read by offsets that lie in memory.
# With Ruby in the process, too, 6,340, and no more than 8 % above that. It was 10,290 when
# stacks that end in one of two loops were unwound each time, since nothing but how the last one ended
# told in which.
# Code that Ruby has compiled is such a second loop, too.

. "$PMEM_ROOT/tests/lib/counted.sh"
needs ruby
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
ruby=$(ldd "$(command -v ruby)" | sed -n 's/.*libruby[^ ]* => \([^ ]*\) .*/\1/p')
[ -n "$ruby" ] || { echo "skipped: ruby has no library"; exit 77; }
build "$quiet"

cat >lines.py <<'END'
import _thread, ctypes, sys

def start_ruby():
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

if sys.argv[1] == "ruby":
    start_ruby()
def turns():
    deep(8, 100)
    deep(8, int(sys.argv[2]))
    done.release()

# In an arena of its own, which nothing that Ruby has left free makes slower at random.
done = _thread.allocate_lock()
done.acquire()
_thread.start_new_thread(turns, ())
done.acquire()
END

export PYTHONMALLOC=malloc PYTHONHASHSEED=0
# add WITH PRELOAD MOST: by the library, to a turn.
add() {
	none=$(a_turn "$2" /usr/bin/python3.11 -S lines.py "$1")
	added=$(($(a_turn "$2 $library" /usr/bin/python3.11 -S lines.py "$1") - none))
	echo "figure: a turn with $1: $added instructions added to $none"
	within $added 3000 "$3"
}
add python "" 6930
add ruby "$ruby" 6850
