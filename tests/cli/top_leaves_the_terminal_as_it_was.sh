#!/bin/sh
# However `pmem top` ends or is stopped, the terminal is as it was: by a key, a signal, Ctrl-Z, a
# fatal error, the log's process; what was to be said meanwhile is said afterwards.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
printf '+ leak 1 100\nsnapshot 1000 churn\n' | ./scriptlog a.log >answers
cat >dies.c <<'END2'
#include "base/message.h"
#include "top/screen.h"
int main(void) {
	screen_open();
	screen_show("x\n", 2);
	warn("a word before");
	die(EXIT_DATA, "the last word");
}
END2
cli=$PMEM_ROOT/src/cli
$CC -std=gnu11 -D_GNU_SOURCE -I"$PMEM_ROOT" -I"$PMEM_ROOT/src" -I"$cli" -o dies dies.c \
	"$cli/top/screen.c" "$cli/top/keys.c" "$cli"/base/*.c -lm
cat >drive.py <<'END2'
import os, signal, sys, termios, time
sys.path.insert(0, os.environ["PMEM_ROOT"] + "/tests/lib")
from terminal import Terminal
pmem = os.environ["PMEM_BUILD"] + "/pmem"

def start(argv=(pmem, "top", "a.log"), shows="leak"):
    top = Terminal(list(argv))
    top.await_text(shows)
    if termios.tcgetattr(top.master)[3] & (termios.ICANON | termios.ECHO):
        top.fail("keys are not taken one by one, or are shown")
    if not top.is_other or not top.hides_cursor:
        top.fail("not on the other screen")
    return top

def end(top, signal_number=0, status=0):
    top.await_end()
    if signal_number and not (os.WIFSIGNALED(top.status)
                              and os.WTERMSIG(top.status) == signal_number):
        top.fail("not ended by signal %d: %d" % (signal_number, top.status))
    if not signal_number and os.waitstatus_to_exitcode(top.status) != status:
        top.fail("status %d" % top.status)
    top.check_left()
    top.check()
    top.close()

top = start(); top.type("q"); end(top)
top = start(); top.type("\x03"); end(top, signal.SIGINT)
top = start(); top.type("\x1c"); end(top, signal.SIGQUIT)
for number in (signal.SIGTERM, signal.SIGHUP):
    top = start(); os.kill(top.pid, number); end(top, number)

# Stopped twice, then continued; and by SIGSTOP, where we can do nothing but come back.
top = start()
for _ in range(2):
    top.type("\x1a")
    top.await_stop()
    top.check_left()
    top.clear()
    top.go_on()
    top.await_text("leak")
    if not top.is_other:
        top.fail("the screen did not come back")
os.kill(top.pid, signal.SIGSTOP)
top.await_stop()
termios.tcsetattr(top.master, termios.TCSANOW, top.before)
top.go_on()
top.read(20, lambda: not termios.tcgetattr(top.master)[3] & termios.ICANON)
top.type("\x1a")
top.await_stop()
top.check_left()
# Ended while it is stopped: it comes back for that.
os.kill(top.pid, signal.SIGTERM)
top.go_on()
end(top, signal.SIGTERM)

# What was said on the way, and the last word.
top = Terminal(["./dies"])
end(top, status=1)
if "pmem: a word before\r\npmem: the last word\r\n" not in top.normal:
    top.fail("the messages are lost")

# Not where the program is not on a terminal: nothing is changed there.
top = Terminal(["sh", "-c", pmem + " top --once a.log >out; cat out"])
end(top)
if "leak" not in top.normal or top.raw:
    top.fail("no table")
END2
python3 drive.py
