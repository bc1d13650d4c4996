#!/bin/sh
# What an import of Python allocates has the lines up to the imported module's own: not who imported the
# module first. What the module's functions allocate when they are called later has all of its lines.
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
kept = [shop.top, shop.made, serve()]
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
(cd logged && LD_PRELOAD=$PMEM_LIBRARY PYTHONMALLOC=malloc $python ../main.py) || fail "ended"
log=$(echo logged/pmem.*.log)

# lines BYTES: of the source that holds a block of so many bytes, innermost first.
lines() {
	awk -v "held=live:$1," '/^[{]/ { of = index($0, " " held) > 0 } /^\[/ { all = "" }
		of && / \[python\]/ { sub(/^.*[\/ ]/, "", $2); all = all $2 " " $4 ";" }
		END { print all }' "$log"
}
is() {
	[ "$(lines "$1")" = "$2" ] || fail "$1: $(lines "$1")" "$log"
}
is 5001 'shop.py:7 <module>;'
is 5101 'shop.py:2 keep;shop.py:4 stock;shop.py:6 fill;shop.py:8 <module>;'
is 5201 'shop.py:2 keep;shop.py:4 stock;shop.py:6 fill;main.py:7 serve;main.py:8 <module>;'
