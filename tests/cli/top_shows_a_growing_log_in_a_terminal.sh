#!/bin/sh
# In a terminal `pmem top` shows each snapshot as it comes, and does what its keys say; the terminal
# is left as it was.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
cat >drive.py <<'END2'
import os, sys, time
sys.path.insert(0, os.environ["PMEM_ROOT"] + "/tests/lib")
from scriptlog import Script
from terminal import Terminal

log = Script("a.log")
write = log.write

# By live: large, many, busy; each other order has its own.
write("+ large/f 1 50000", "+ many/f 1000 10", "+ busy/f 9 900", "snapshot 1000 churn",
      "+ busy/f 100 1000", "- busy/f 101 990", "+ many/f 200 10", "snapshot 2000 churn")
top = Terminal([os.environ["PMEM_BUILD"] + "/pmem", "top", "a.log"])

def order(*names):
    def is_so():
        shown = [n for l in top.lines()[5:] for n in ("large", "many", "busy") if " %s <" % n in l]
        return shown == list(names)
    if not top.read(20, is_so):
        top.fail("not in the order %r" % (names,))

top.await_text(r"^server 4242 on box, up 3\.0s   snapshot \[1\]")
top.await_text(r"^live 68\.5 KiB in 1,209 blocks")
order("large", "many", "busy")
# 100 allocations in two seconds.
top.await_text(r" 50 +busy < f < main$")
top.type("n"); order("many", "busy", "large")
top.type("b"); order("many", "busy", "large")
top.type("c"); order("busy", "many", "large")
top.type("r"); order("large", "many", "busy")
top.type("r"); order("busy", "many", "large")
top.type("l"); order("large", "many", "busy")
top.type("g"); order("many", "busy", "large")
top.type(">"); top.await_text(r"\*alloc/s"); order("busy", "many", "large")
top.type("<"); top.await_text(r"\*growth/s")
top.type("l"); top.await_text(r"\*live")

# A snapshot that comes meanwhile; not while we stand still.
write("+ new/f 1 200000", "snapshot 1000 churn")
top.await_text(r"snapshot \[2\]")
top.await_text(r" new < f < main")
top.type(" "); top.await_text("paused")
write("snapshot 1000 churn")
top.read(2.2)
if "[2]" not in top.text():
    top.fail("went on while it was paused")
top.type(" "); top.await_text(r"snapshot \[3\]")

# Stacks, and lines of them scrolled away.
top.type("s"); top.await_text(r"^ +malloc \(libpmem.so\)$")
top.resize(100, 9)
top.await_drawing()
top.type("\x1b[B"); top.read(5, lambda: " new <" not in top.lines()[5])
if " new <" in top.text() and top.lines()[5].split()[-1] == "main":
    top.fail("a line down did not scroll")
top.resize(100, 30)
top.await_drawing()
top.type("\x1b[F"); top.read(2, lambda: "_start" in [l for l in top.lines() if l][-1])
top.type("\x1b[H"); top.await_text(r"^> +195 KiB .* new < f < main")
top.type("s")
top.type("h"); top.await_text("any key goes back")
top.type("x"); top.await_text(r"snapshot \[3\]")

# Another size.
top.resize(40, 8)
top.await_drawing()
top.await_text(r"^server 4242 on box")
if not top.read(5, lambda: top.lines()[7].strip()):
    top.fail("the new size is not used")
if not top.is_other:
    top.fail("not on the other screen")
top.type("q")
if top.await_end() != 0:
    top.fail("ended with %d" % top.status)
top.check_left()
top.check()
top.close()
log.close()
END2
python3 drive.py
