#!/bin/sh
# `pmem top` draws within any terminal, down to one column and row, and sends it nothing from the
# log but characters: names may be long, wide, no UTF-8, or control characters.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
cat >drive.py <<'END2'
import os, re, subprocess, sys
sys.path.insert(0, os.environ["PMEM_ROOT"] + "/tests/lib")
from terminal import Terminal

long = "n" * 300
script = b"".join(b"+ %s/f%d 1 %d\n" % (name, i, 1000 + i) for i, name in enumerate(
    ["\u00e4\u00f6\u00fc".encode(), "\u6f22\u5b57".encode() * 9, b"\xff\xfe", b"a\x1b[2Jb", b"c\x9bd",
     "e\u202ef".encode(), b"\xe2\x82", long.encode()] + [b"x%d" % i for i in range(40)]))
subprocess.run(["./scriptlog", "a.log"], input=script + b"snapshot 1000 churn\n", check=True,
               stdout=subprocess.DEVNULL)
# What the library would write as \xHH, as another program might.
text = open("a.log", "rb").read()
open("raw.log", "wb").write(text.replace(b"\\x1b", b"\x1b").replace(b"\\x9b", b"\x9b")
                            .replace(b"\\xff\\xfe", b"\xff\xfe"))
pmem = os.environ["PMEM_BUILD"] + "/pmem"
top = Terminal([pmem, "top", "--raw", "--color=always", "raw.log"], 120, 60)
top.await_text(r"snapshot \[0\]")
for columns, rows in ((1, 1), (2, 3), (10, 6), (30, 5), (79, 24), (300, 200), (1, 200), (500, 1)):
    top.read(0.02)
    top.resize(columns, rows)
    top.await_drawing()
    for keys in ("s", "\x1b[F", "\x1b[5~", "\x1b[B", "\x1b[6~", "\x1b[H", "h", "x", "r", ">", "s",
                 "\x1b[C", "\x1b[D", "\r", "\x1b[6~", "\x1b[C", "q", "/n\x7f\x7fx", "\r", "\x1b[B", "\x1b"):
        top.type(keys)
        top.read(0.01)
    # What is cut off at a row's end never reaches the next one.
    top.check()
    if top.has_ended():
        top.fail("ended at %dx%d" % (columns, rows))
top.resize(120, 60)
top.await_drawing()
top.type("l")
for text in ("a?[2Jb < f3 <", "c?d < f4 <", "e?f < f5 <", "?? < f2 <", "\u00e4\u00f6\u00fc < f0 <", "nnnn..."):
    top.await_text(re.escape(text))
# Any bytes as keys.
os.write(top.master, bytes(b for b in range(256) if b not in b"\x03\x1a\x1c\x13\x11\x04q") + b"\x1b[99;9;9zx")
top.read(0.5)
top.type("x\x1b[H")
top.type("l")
top.type("\x1b[H")
top.read(0.5)
top.check()
top.type("xqq")
top.await_end()
top.check_left()
END2
python3 drive.py
