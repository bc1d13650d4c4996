#!/bin/sh
# A block that an import of Python allocates has two lines, the innermost one and the imported module's own:
# not those of who imported the module first. A block that the module's functions allocate when they are
# called later has all of its lines. A block of a file that Ruby requires has the lines up to the file's own,
# and none of Ruby's functions.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
python=/usr/bin/python3
needs $python python3

cat >shop.py <<'END'
def keep(bytes):
    return bytearray(bytes)
def stock(bytes):
    return keep(bytes)
def fill(bytes):
    return stock(bytes)
top = bytearray(5000)
made = fill(5100)
def deep(bytes, calls):
    return deep(bytes, calls - 1) if calls else keep(bytes)
far = deep(5300, 100)
END
echo 'import shop' >through.py
cat >main.py <<'END'
import ctypes
def imports():
    import through
imports()
import shop
def serve():
    return shop.fill(5200)
kept = [shop.top, shop.made, shop.far, serve()]
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
(cd logged && LD_PRELOAD=$PMEM_LIBRARY PYTHONMALLOC=malloc $python ../main.py) || fail "ended"
log=$(echo logged/pmem.*.log)

# lines BYTES: of the source that holds a block of so many bytes, innermost first, behind how many native
# frames there are.
lines() {
	awk -v "held=live:$1," '/^[{]/ { of = index($0, " " held) > 0; began = 0 }
		of && /^  [{]/ && !began++ { all = ""; frames = 0 }
		of && /^  [{]/ && !/ \[(python|ruby)\]/ { frames++ }
		of && / \[(python|ruby)\]/ { sub(/^.*[\/ ]/, "", $2); all = all $2 " " $4 ";" }
		END { print frames " " all }' "$log"
}
is() {
	[ "$(lines "$1")" = "$2" ] || fail "$1: $(lines "$1")" "$log"
}
is 5001 '1 shop.py:7 <module>;'
is 5101 '1 shop.py:2 keep;shop.py:8 <module>;'
is 5301 '1 shop.py:2 keep;shop.py:11 <module>;'
is 5201 '4 shop.py:2 keep;shop.py:4 stock;shop.py:6 fill;main.py:7 serve;main.py:8 <module>;'

needs_ruby
cat >shop.rb <<'END'
def keep(bytes)
  $kept << "k" * bytes
end
def stock(bytes)
  keep(bytes)
end
stock(1)
stock(5100)
END
# The call stock(1) makes what Ruby itself keeps at these lines.
echo 'require_relative "shop"' >through.rb
cat >main.rb <<'END'
$kept = []
def imports
  require_relative "through"
end
imports
def serve
  stock(5200)
end
serve
END
rm logged/*
(cd logged && LD_PRELOAD=$PMEM_LIBRARY ruby ../main.rb) || fail "ended"
log=$(echo logged/pmem.*.log)

is 5101 '1 shop.rb:2 Object#keep;shop.rb:5 Object#stock;shop.rb:8 <top;'
is 5201 '4 shop.rb:2 Object#keep;shop.rb:5 Object#stock;main.rb:7 Object#serve;main.rb:9 <main>;'
