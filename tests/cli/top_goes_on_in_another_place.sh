#!/bin/sh
# While `pmem top` follows a log, the process may become another user, and go on in the fallback folder:
# from then on it is read there. It was shown as silent for ever. What another process has left there
# under the same name is none of it.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
PMEM_FALLBACK=$(sed -n 's/^#define PMEM_LOG_FALLBACK_DIR "\(.*\)"$/\1/p' "$PMEM_ROOT/config.h")
export PMEM_FALLBACK
cat >drive.py <<'END2'
import os, re, sys
sys.path.insert(0, os.environ["PMEM_ROOT"] + "/tests/lib")
from scriptlog import Script
from terminal import Terminal

name = "pmem.%d.log" % (5000000 + os.getpid())  # more than a kernel gives out
there = os.environ["PMEM_FALLBACK"] + "/" + name
log = Script(name)
log.write("+ still 3 1000", "snapshot 1000 churn", "+ leak 1 500", "snapshot 1000 churn",
          "rotate", "+ leak 1 500", "snapshot 1000 churn", "+ leak 1 500", "snapshot 1000 churn")
log.close()
os.mkdir("begun")
os.rename(name + ".1", "begun/" + name)
header, rest = open(name).read().split("\n", 1)
note = "\n# note %s: Permission denied\n" % os.path.abspath("begun/" + name)


def put(text, mode):
    with open(there, mode) as file:
        file.write(text)


try:
    top = Terminal([os.environ["PMEM_BUILD"] + "/pmem", "top", "--raw", "--bytes", "begun/" + name], 160)
    top.await_text(r"^live 3500 in 4 blocks")
    # Another run's.
    put(re.sub("run=[0-9a-f]*", "run=0123456789abcdef", header) + note + rest, "w")
    top.read(1.5)
    top.await_text(r"^live 3500 in 4 blocks")
    # Ours, which begins without a snapshot.
    put(header + note, "w")
    top.read(1.5)
    top.await_text(r"^live 3500 in 4 blocks")
    put(rest, "a")
    top.await_text(r"^live 4500 in 6 blocks")
    top.await_text(r" 1500 +3 .* +leak < main$")
    if "are gone" in top.text():
        top.fail("told that snapshots are gone, and none is")
    top.type("q")
    top.await_end()
    top.check_left()
    top.check()
finally:
    if os.path.exists(there):
        os.remove(there)
END2
python3 drive.py
