#!/bin/sh
# Before its lines of Python a stack has three functions of the interpreter's, and all of a library's
# that it calls. A stack of an import has two lines, however many calls lie between them: the innermost one
# and the module's. It has no line of the import statement, nor of who imported the module.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
python=/usr/bin/python3
needs $python python3

cat >deep.c <<'END'
#include <stdlib.h>

void *kept;

__attribute__((noinline)) void
deep_down(int depth)
{
	if (depth == 0)
		kept = malloc(4321);
	else
		deep_down(depth - 1);
	__asm__ volatile("" ::: "memory");
}
END
"$CC" -shared -fPIC -o deep.so deep.c
cat >main.py <<'END'
import ctypes
kept = []
ctypes.PyDLL("../deep.so").deep_down(9)
import other
import other_deep
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
echo 'import __main__, json; __main__.kept.append(bytearray(5432))' >other.py
cat >other_deep.py <<'END'
import __main__

def deep(depth):
    if depth == 0:
        __main__.kept.append(bytearray(6543))
    else:
        deep(depth - 1)

deep(3)
deep(30)
import other_deeper
END
echo 'import other_deep; other_deep.deep(0)' >other_deeper.py
(cd logged && LD_PRELOAD=$PMEM_LIBRARY PYTHONMALLOC=malloc $python ../main.py) || fail "ended"

# frames_of BYTES: the frames of the stack that holds so many, and less than 100 more: hook, python, deep, or
# a line.
frames_of() {
	awk -v bytes="$1" '
		/^{/ { live = substr($2, 6) + 0; here = live >= bytes && live < bytes + 100 }
		/^$/ && here { print "" }
		/^ / && here { sub(/^ *{[0-9]+} /, ""); sub(/.*\/libpmem.*/, "hook"); sub(/.*\/python3.*/, "python")
			sub(/.*\/deep\.so.*/, "deep"); sub(/ [[]0x.*/, ""); sub(/.*\//, ""); printf "%s ", $0 }' \
		logged/pmem.*.log
}
frames_of 4321 >frames
grep -q '^hook \(deep \)\{10\}.*main.py:3 in <module> \[python\] $' frames || fail "the library's" frames
frames_of 5433 >frames
grep -q '^hook other.py:1 in <module> \[python\] $' frames || fail "the import's" frames
frames_of 6544 >frames
deepest='hook other_deep.py:5 in deep \[python\]'
for line in other_deep.py:9 other_deep.py:10 other_deeper.py:1; do
	grep -q "^$deepest $line in <module> \[python\] $" frames || fail "$line" frames
done
