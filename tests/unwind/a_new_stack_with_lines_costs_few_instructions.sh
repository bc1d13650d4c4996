#!/bin/sh
# long
# What a line of Python that runs for the first time costs more than without the library, with all of
# the stacks, up to 40 deep, that are new with it, in instructions: 155,000 when this was written
# (Debian's CPython 3.11, gcc 12, -O2), and no more than 15 % above that. It was 187,000 when each of them
# was hashed a second time, as it would be without lines. Counted under callgrind, which is exact.

. "$PMEM_ROOT/tests/lib/counted.sh"
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
build "$quiet"

cat >new.py <<'END_OF_PYTHON'
import os

LINES = 500
nest = []
for depth in range(12):
    nest = [nest]
line = compile("repr(nest)", "made.py", "exec")
lines = [line.replace(co_firstlineno=number + 1) for number in range(LINES)]

def count(how):
    command = "LD_PRELOAD= callgrind_control -i %s %d >/dev/null 2>&1"
    assert os.system(command % (how, os.getpid())) == 0

count("on")
for line in lines:
    exec(line)
count("off")
END_OF_PYTHON

export PYTHONMALLOC=malloc PYTHONHASHSEED=0
none=$(($(marked "" /usr/bin/python3.11 -S new.py) / 500))
added=$(($(marked "$library" /usr/bin/python3.11 -S new.py) / 500 - none))
echo "figure: a new line: $added instructions added to $none"
[ "$none" -gt 5000 ] || { echo "nothing was counted"; exit 1; }
within $added 20000 178000
