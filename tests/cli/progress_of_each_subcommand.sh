#!/bin/sh
# Whatever takes over a second says on a terminal how far it is, and wipes that; elsewhere not.

set -eu
command -v python3 >/dev/null || {
	echo "skipped: needs python3"
	exit 77
}
log=$PMEM_ROOT/tests/cli/export/server.log
cat >ask.py <<'PY'
import os, pty, subprocess, sys, time

pmem, log = sys.argv[1:3]
text = open(log, "rb").read()
commands = [["report"], ["leaks"], ["diff"], ["top", "--once"], ["export", "--to", "csv"],
            ["export", "--to", "ndjson"]]


# A log that comes in pieces: the first snapshot, and after a while the others.
def begin(command, errors):
    argv = [pmem, command[0], "--raw"] + command[1:] + ["-"]
    child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors)
    cut = text.index(b"\n[  2]")
    child.stdin.write(text[:cut])
    child.stdin.flush()
    return child, text[cut:]


running = []
for command in commands:
    try:
        master, slave = pty.openpty()
    except OSError:
        print("skipped: needs /dev/pts")
        sys.exit(77)
    running.append((command, master, begin(command, slave)))
    os.close(slave)
    reading, writing = os.pipe()
    running.append((command, reading, begin(command, writing)))
    os.close(writing)
time.sleep(1.3)
for command, errors, (child, rest) in running:
    child.stdin.write(rest)
    child.stdin.close()
    status = child.wait()
    said = b""
    try:
        while piece := os.read(errors, 4096):
            said += piece
    except OSError:
        pass
    is_terminal = os.isatty(errors)
    good = said.startswith(b"\r\x1b[K") and said.endswith(b"\r\x1b[K") if is_terminal else not said
    if status != 0 or not good:
        sys.exit("%s: status %d, %s: %r" % (" ".join(command), status,
                                            "terminal" if is_terminal else "pipe", said))
PY
python3 ask.py "$PMEM_BUILD/pmem" "$log"
