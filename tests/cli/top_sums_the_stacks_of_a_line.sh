#!/bin/sh
# In `pmem top` the stacks of one line are one row, as in `pmem leaks`: its numbers are their sums, its
# text has the callers that all have. Opened, it shows each of them, the largest first.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
pmem=$PMEM_BUILD/pmem
fail() {
	echo "$1"
	cat table
	exit 1
}

# A leak by two ways: 3,000 and 500 bytes a minute for an hour, the larger way once as much again.
{
	echo '+ leak/get/handle 1 1000'
	for i in $(seq 60); do
		printf '+ leak/get/handle 2 1500\n+ leak/put/handle 1 500\n+ turn/handle 9 900\n- turn/handle 9 900\n'
		echo 'snapshot 60000 churn'
	done
	printf '+ leak/get/handle 10 300\n- leak/get/handle 1 1000\n+ leak/put/handle 5 40\n+ large 1 5000\n'
	echo 'snapshot 2000 churn'
} | ./scriptlog a.log >answers

"$pmem" top --once --bytes --raw a.log >table
sed -n '/where$/,$p' table | sed -e 's/^ *//' -e 's/  */ /g' >rows
# 181000 + 3000 - 1000 and 30200 bytes; 15 calls in two seconds.
cat >expected <<'END2'
*live blocks growth/s alloc/s churn/s allocs/s where
213200 195 +1100 1600 2100 7.5 leak < handle < main
5000 1 +2500 2500 2500 0.5 large < main

END2
sed -i 's/leak < handle < main/WHERE/' expected
COLUMNS=200 "$pmem" leaks --raw a.log >answer
where=$(sed -n 's/.*  \(leak\( < .*\)*\)$/\1/p' answer | head -n 1)
[ -n "$where" ] || { cat answer; fail "no leak"; }
sed -i "s/WHERE/$where/" expected
diff expected rows || fail "rows"

# With their stacks, the largest of the line.
"$pmem" top --once --raw --stacks a.log >table
grep -q '^ *get (' table && ! grep -q '^ *put (' table || fail "not the largest stack"
# What is cut off is summed by line, too.
"$pmem" top --once --bytes --raw -n 0 a.log >table
grep -Eq '^ +218200 +196 .* 2 more sources$' table || fail "no sum of what is cut"

cat >drive.py <<'END2'
import os, sys
sys.path.insert(0, os.environ["PMEM_ROOT"] + "/tests/lib")
from terminal import Terminal

top = Terminal([os.environ["PMEM_BUILD"] + "/pmem", "top", "--bytes", "--raw", "a.log"], 100, 40)
top.await_text(r"^> +213200 +195 .*  leak")
# The row stays above, whichever of its stacks is shown.
def shown(number, live, blocks, caller):
    top.await_text(r"^stack %d of 2, the largest first; Enter: the next$" % number)
    top.await_text(r"live %d in %d blocks$" % (live, blocks))
    top.await_text(r"^at least \d+, at most %d, now %d$" % (live, live))
    top.await_text(r"^  %s \(" % caller)
    top.await_text(r"^ +213200 +195 .*  leak")
top.type("\r"); shown(1, 183000, 130, "get")
top.type("\r"); shown(2, 30200, 65, "put")
top.type("\r"); shown(1, 183000, 130, "get")
top.type("q")
# A search narrows a row to the stacks that have the text.
top.type("/put\r"); top.await_text(r"^search put: 1 of 3 sources, live 30200 ")
top.await_text(r"^> +30200 +65 .*  leak")
top.type("\r"); top.await_text(r"live 30200 in 65 blocks$")
if "Enter: the next" in top.text():
    top.fail("there is no next")
top.type("q\x1b"); top.await_text(r"^> +213200 +195 .*  leak")
# A row of one stack is that.
top.type("\x1b[B\r"); top.await_text(r"live 5000 in 1 blocks$")
if "Enter: the next" in top.text():
    top.fail("there is no next")
top.type("qq")
if top.await_end() != 0:
    top.fail("ended with %d" % top.status)
top.close()
END2
python3 drive.py
