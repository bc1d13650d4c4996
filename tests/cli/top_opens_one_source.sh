#!/bin/sh
# In `pmem top` a source is chosen, and stays so wherever it comes to stand; Enter opens all that is
# known of it: what it has held, its stack, the threads. A search leaves those that it is found in;
# left and right move long texts; and no row is hidden that has room.

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

deep = "/".join("step%d" % i for i in range(30))
# What `one` holds goes up, down and up again, in four minutes of equal snapshots.
write("+ one 1 1000", "+ two 1 3000", "+ Three/" + deep + " 1 500", "snapshot 60000 churn",
      "+ one 1 7000", "snapshot 60000 churn", "- one 1 7000", "snapshot 60000 churn",
      "+ one 1 3000", "+ two 1 2000", "snapshot 60000 churn")
top = Terminal([os.environ["PMEM_BUILD"] + "/pmem", "top", "--bytes", "--raw", "a.log"], 80, 24,
               {"LC_ALL": "C.UTF-8"})

def names():
    return [l.split("  ")[-1].split(" ")[0] for l in top.lines()[5:] if " < main" in l or "step" in l]

def chosen(name):
    def is_so():
        return [l.split("  ")[-1].split(" ")[0] for l in top.lines()[5:] if l[:1] == ">"] == [name]
    if not top.read(20, is_so):
        top.fail("%s is not the chosen one" % name)

top.await_text(r"snapshot \[3\]")
# Before anything is chosen it is the first, whichever that is.
chosen("two")
top.type("r"); chosen("Three")
top.type("r"); chosen("two")
top.type("\x1b[B"); chosen("one")
# From here on it is `one`, also as it becomes the largest, or the last.
write("+ one 1 6000", "snapshot 60000 churn")
top.await_text(r"snapshot \[4\]"); chosen("one")
# The head may be on the screen before the rows.
if not top.read(20, lambda: names()[:1] == ["one"]):
    top.fail("one is not the largest")
top.type("r"); chosen("one")
top.type("r")
top.type("jjjjj"); chosen("Three")
top.type("k"); chosen("two")
top.type("k"); chosen("one")

# All of it: its numbers; 1000, 8000, 1000, 4000, 10000 as blocks; its stack, the threads.
top.type("\r")
top.await_text(r"live 10000 in 3 blocks$")
top.await_text(r"^allocated 17000 in 4 calls, freed 7000 in 1$")
top.await_text(r"^what it has held, in 4m 0s from ")
top.await_text(r"^at least 1000, at most 10000, now 10000$")
def heights():
    line = [l for l in top.lines() if l and l[0] in "\u2581\u2582"][0]
    order = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
    return [order.index(c) for c in line]
bars = heights()
if len(bars) != 80 or (bars[0], bars[25], bars[45], bars[65], bars[79]) != (0, 6, 0, 3, 7):
    top.fail("the line of blocks: %r" % bars)
top.await_text(r"^stack, innermost first$"); top.await_text(r"^  one \("); top.await_text(r"^  _start ")
# It goes on as the log does.
write("- one 1 7000", "snapshot 60000 churn")
top.await_text(r"^at least 1000, at most 10000, now 3000$")
top.await_text(r"^what it has held, in 5m 0s from ")
if heights()[79] != 2:
    top.fail("the last block")
# Lines of it that have no room.
top.resize(80, 11); top.await_drawing()
top.await_text(r"^\d+ more below$")
below = int([l for l in top.lines() if l.endswith("more below")][0].split()[0])
top.type("\x1b[B"); top.await_text(r"^%d more below$" % (below - 1))
top.type("\x1b[F"); top.await_text(r"^  _start ")
if "below" in top.text():
    top.fail("more below the end")
top.type("\x1b[H"); top.await_text(r"^what it has held"); top.await_text(r"^%d more below$" % below)
top.resize(80, 24); top.await_drawing()
top.type("q"); chosen("one")

# A search narrows while it is typed.
top.type("/st")
top.await_text(r"^search: st_: \d of \d sources")
top.type("ep2")
top.await_text(r"^search: step2_: 1 of \d sources, live 500 ")
if names() != ["Three"]:
    top.fail("not the one with step2: %r" % names())
top.type("\x7f\x7f\x7f\x7f\x7fTWO"); top.await_text(r"^search: TWO_: 0 of ")
top.type("\x7f\x7f\x7ftwo\r"); top.await_text(r"^search two: 1 of \d sources"); chosen("two")
# What it left out stays so as the log goes on; keys are keys again.
write("+ two 1 5", "snapshot 60000 churn")
top.await_text(r"live 5005   /: another")
top.type("b"); top.await_text(r"\*blocks"); chosen("two")
top.type("\x1b"); top.await_text("Enter: all of one source")
if not top.read(20, lambda: sorted(names())[:3] == ["Three", "one", "two"]):
    top.fail("not all are back: %r" % names())
top.type("l/x"); top.await_text(r"^search: x_"); top.type("\x1b"); top.await_text("Enter: all of one source")

# Sideways, as far as there is text, and back.
top.type("\x1b[H"); top.await_text(r"  Three < step")
if "_start" in top.text():
    top.fail("the text is too short for this test")
for _ in range(60):
    top.type("\x1b[C")
top.await_text(r"step\d+ < main$|main$")
top.read(20, lambda: any("Three" not in l and l.rstrip().endswith("main") for l in top.lines()))
for _ in range(60):
    top.type("\x1b[D")
top.await_text(r"  Three < step")

# No row is hidden that has room, however the terminal was before.
for i in range(12):
    write("+ many%d 1 %d" % (i, 10 + i))
write("snapshot 1000 churn")
ROWS = 15
def shown():
    return [l for l in top.lines()[5:] if l.strip()]
if not top.read(20, lambda: "many11" in top.text() and len(shown()) == ROWS):
    top.fail("not all of %d rows" % ROWS)
top.type("\x1b[F")
for rows in (8, 24, 12, 30, 6, 24):
    top.resize(80, rows); top.await_drawing()
    def is_full():
        return len(shown()) == min(rows - 5, ROWS) and shown()[-1][:1] == ">"
    if not top.read(20, is_full):
        top.fail("not all of %d rows that fit on %d lines" % (ROWS, rows))
top.type("\x1b[H"); chosen("two")
top.type("q")
if top.await_end() != 0:
    top.fail("ended with %d" % top.status)
top.check_left()
top.check()
top.close()
log.close()

# A search looks into a whole line of Ruby, and the source's stack has it as the log.
top = Terminal([os.environ["PMEM_BUILD"] + "/pmem", "top", "--raw",
                os.environ["PMEM_ROOT"] + "/tests/cli/logs/languages.log"], 100, 30)
top.await_text("app.rb:42 in Order#total")
top.type("/srv/app.rb:42 in Ord")
top.await_text(r"search: srv/app.rb:42 in Ord_: 1 of 3 sources")
top.type("\r"); top.await_text(r"search srv/app.rb:42 in Ord: 1 of 3 sources")
top.type("\r"); top.await_text(r"/srv/app.rb:42 in Order#total \[ruby\]")
top.await_text(r"/srv/app.rb:58 in <main> \[ruby\]")
top.type("q"); top.await_text(r"search srv")
top.type("q")
if top.await_end() != 0:
    top.fail("ended with %d" % top.status)
top.close()
END2
python3 drive.py
