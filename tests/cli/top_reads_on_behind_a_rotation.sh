#!/bin/sh
# While `pmem top` follows a log, that may be rotated, truncated, or cut short in the middle of a
# snapshot: totals stay those of the process, and what is not there any more is told.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
cat >drive.py <<'END2'
import os, sys
sys.path.insert(0, os.environ["PMEM_ROOT"] + "/tests/lib")
from scriptlog import Script
from terminal import Terminal

log = Script("a.log")
write = log.write

write("+ still 3 1000", "+ leak 1 500", "snapshot 1000 churn")
top = Terminal([os.environ["PMEM_BUILD"] + "/pmem", "top", "--raw", "--bytes", "a.log"], 160)
top.await_text(r"^live 3500 in 4 blocks")
write("+ leak 1 500", "snapshot 1000 churn")
top.await_text(r"^live 4000 in 5 blocks")

# Rotated: all is known as before, since the old piece is read again.
write("rotate", "+ leak 1 500", "snapshot 1000 churn")
top.await_text(r"^live 4500 in 6 blocks")
top.await_text(r" 3000 +3 +0 +0 +0 +0 +still < main$")
top.await_text(r" 1500 +3 +\+500 +500 +500 +1 +leak < main$")
if "are gone" in top.text():
    top.fail("told that snapshots are gone, and none is")

# Once more: the first piece is gone, and with it what `still` was last told in.
write("rotate", "+ leak 1 500", "snapshot 1000 churn")
top.await_text(r"^live 5000 in 7 blocks")
top.await_text(r"older snapshots of the log are gone")
top.await_text(r" 3000 +3 +0 +0 +0 +0 +\{rest\}")

# copytruncate: until there is a snapshot, what was known stays.
os.remove("a.log.1")
write("truncate")
top.read(1.5)
top.await_text(r"^live 5000 in 7 blocks")
write("+ leak 1 500", "snapshot 1000 churn")
top.await_text(r"^live 5500 in 8 blocks")

# Half a snapshot is none, until the rest of it is there.
whole = os.path.getsize("a.log")
write("+ leak 1 500", "snapshot 1000 churn")
top.await_text(r"^live 6000 in 9 blocks")
half = open("a.log").read()
with open("a.log", "a") as file:
    more = half[whole:].replace("[  5]", "[  6]")
    file.write(more[:200])
    file.flush()
    top.read(1.5)
    top.await_text(r"snapshot \[5\]")
    file.write(more[200:])
top.await_text(r"snapshot \[6\]")
top.type("q")
top.await_end()
top.check_left()
top.check()
log.close()
END2
python3 drive.py
