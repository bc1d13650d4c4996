#!/bin/sh
# Python that runs Ruby in its own process, each calling the other's functions in turn: what lives is
# counted to the lines of the one that asked for it, to the block.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_ruby
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
library=$(ldd "$(command -v ruby)" | sed -n 's/.*libruby[^ ]* => \([^ ]*\) .*/\1/p')
[ -n "$library" ] || fail "ruby has no library"

cat >both.py <<'END'
import ctypes
ruby = ctypes.CDLL(None)
status = ctypes.c_int(0)
kept = []
def say(code):
    ruby.rb_eval_string_protect(code.encode(), ctypes.byref(status))
    assert status.value == 0
@ctypes.CFUNCTYPE(None, ctypes.c_long)
def keep(size):
    kept.append(bytearray(size))
ruby.ruby_setup()
ruby.ruby_init_loadpath()
say("""
require 'fiddle'
$kept = []
$python = Fiddle::Function.new(%d, [Fiddle::TYPE_LONG], Fiddle::TYPE_VOID)
def remember(size)
  $kept << 'a' * size
end
def ask(size)
  $python.call(size)
  remember(size + 1)
end
remember(10)
""" % ctypes.cast(keep, ctypes.c_void_p).value)
for i in range(100):
    keep(5000)
    say("remember(6000)")
    say("ask(8000)")
    kept.append(bytearray(7000))
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
print(len(kept))
END
TEST_ALLOCATOR= LD_PRELOAD=$library same 0 both env PYTHONMALLOC=malloc /usr/bin/python3.11 -S ../both.py
log=$(log_of 'python3.11')
agree 10 "$log"
lines_of "$log"
script=$PWD/logged/../both.py
holds 100 5001 "$script:10 in keep"
holds 100 8001 "$script:10 in keep"
holds 100 7001 "$script:30 in <module>"
holds 100 6001 'eval:6 in Object#remember'
holds 100 8002 'eval:6 in Object#remember'
