#!/bin/sh
# `pmem top` of several logs, or of a folder, begins with a line for each process, those that grow most
# on top. Enter opens the one that is chosen, and q or Escape goes back. A log that appears in the folder
# comes to the others.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
pmem=$PMEM_BUILD/pmem
fail() {
	echo "$1"
	cat table words
	exit 1
}
# make PID BYTES MINUTES: holds 1000 at first, and BYTES more each minute. Its log is rotated.
make() {
	{
		printf 'pid %s\nexe /usr/bin/s%s\n+ f%s 1 1000\nsnapshot 1000 churn\nrotate\n' "$1" "$1" "$1"
		for _ in $(seq "$3"); do
			printf '+ f%s 1 %s\nsnapshot 60000 churn\n' "$1" "$2"
		done
	} | ./scriptlog "$logs/pmem.$1.log" >answers
}
logs=logs
mkdir logs
make 11 100 10
make 12 500 3
make 13 1 200
# Nothing in its last hour, though it grew before.
{
	printf 'pid 14\nexe /usr/bin/s14\nsnapshot 1000 churn\n+ f 1 900000\nsnapshot 1000 churn\n'
	for _ in $(seq 61); do
		printf '+ f 1 1\n- f 1 1\nsnapshot 60000 churn\n'
	done
} | ./scriptlog logs/pmem.14.log >answers
# Has ended: what it gave back in the end is no growth, and until then there was time.
printf 'pid 15\nexe /usr/bin/s15\n+ f 1 500\nsnapshot 60000 churn\n+ f 1 10\nsnapshot 60000 churn\n- f 1 500\nsnapshot 1000 exit\n' |
	./scriptlog logs/pmem.15.log >answers

"$pmem" top --once --bytes logs >table 2>words || fail "status $?"
[ ! -s words ] || fail "words"
sed -n '/growth\/h /,$p' table | awk 'NF { print $1, $2, $5 == "ended", $(NF - 1), $NF }' >rows
cat >expected <<'END2'
*growth/h live 0 process command
+30000 2500 0 12 s12
+6000 2000 0 11 s11
+590 10 1 15 s15
+60 1200 0 13 s13
0 900000 0 14 s14
END2
diff expected rows || fail "rows"
grep -q '^5 processes, 1 of them ended   live 905700   growth +36060/h$' table || fail "head"
# Named one by one: the same; a piece that was rotated away is no process.
"$pmem" top --once --bytes logs/* >table 2>words || fail "status $?"
grep -q '^5 processes, ' table || fail "logs by their names"

# Filled within half a second, and ended five minutes later, or more than an hour.
mkdir filled
for pid in 17 18; do
	printf 'pid %s\n+ f 1 500\nsnapshot 100 churn\n+ f 1 600\nsnapshot 500 churn\n- f 1 500\nsnapshot %s exit\n' \
		$pid $((pid == 17 ? 299500 : 4000000)) | ./scriptlog filled/pmem.$pid.log >answers
done
"$pmem" top --once --bytes filled >table 2>words || fail "status $?"
grep -Eq '^ +\+7200 +600 .* ended +17 ' table || fail "not by all of its log"
grep -Eq '^ +0 +600 .* ended +18 ' table || fail "not by the last hour of its log"

# A start is no growth: what grew since most sources were there. With its arguments a process is its command.
{
	printf 'pid 19\nexe /usr/bin/python3\n'
	for i in 1 2 3 4 5 6 7 8 9; do
		printf '+ load%s_%s 1 100000\n' $i 1 $i 2 $i 3 $i 4
		echo 'snapshot 5000 churn'
	done
	for _ in $(seq 20); do
		printf '+ f 1 100\nsnapshot 30000 churn\n'
	done
} | ./scriptlog filled/pmem.19.log >answers
sed '2s|$|\n# command python3 /srv/job.py 450|' filled/pmem.19.log >with && mv with filled/pmem.19.log
"$pmem" top --once --bytes filled >table 2>words || fail "status $?"
grep -Eq '^ +\+12000 +3602000 .* 19 +python3 /srv/job.py 450$' table || fail "a start"

# It ends when all have ended, and before that tells of each change.
mkdir ended
logs=ended
printf 'pid 21\nexe /bin/a\n+ f 1 500\nsnapshot 1000 exit\n' | ./scriptlog ended/pmem.21.log >answers
printf 'pid 22\nexe /bin/b\n+ f 1 500\nsnapshot 1000 exit\n' | ./scriptlog ended/pmem.22.log >answers
timeout 60 "$pmem" top ended >table 2>words || fail "did not end: $?"
[ "$(grep -c '^2 processes, 2 of them ended' table)" -eq 1 ] || fail "not once"
# One that is no log is told, and the others shown.
: >ended/pmem.23.log
code=0
timeout 60 "$pmem" top --once ended nowhere.log >table 2>words || code=$?
[ $code -eq 1 ] && grep -q 'nowhere.log' words && grep -q 'pmem.23.log: no whole snapshot' words &&
	grep -q ' no snapshot yet: ended/pmem.23.log$' table && grep -q ' b$' table || fail "status $code"

cat >drive.py <<'END2'
import os, subprocess, sys
sys.path.insert(0, os.environ["PMEM_ROOT"] + "/tests/lib")
from terminal import Terminal

top = Terminal([os.environ["PMEM_BUILD"] + "/pmem", "top", "--bytes", "--raw", "logs"], 120, 30)

def shows(*pids):
    def is_so():
        return [l.split()[-2] for l in top.lines()[3:] if l] == [str(p) for p in pids]
    if not top.read(20, is_so):
        top.fail("not in the order %r" % (pids,))

def chosen(pid):
    def is_so():
        return [l.split()[-2] for l in top.lines() if l[:1] == ">"] == [str(pid)]
    if not top.read(20, is_so):
        top.fail("%d is not the chosen one" % pid)

top.await_text(r"^5 processes")
top.await_text(r"\*growth/h")
shows(12, 11, 15, 13, 14)
chosen(12)
top.type("\r")
top.await_text(r"^s12 12 on box")
top.await_text(r" f12 < main$")
top.type("q"); top.await_text(r"^5 processes"); chosen(12)
top.type("\x1b[B"); chosen(11)
top.type("j"); top.type("\x1b[B"); top.type("k"); top.type("\x1b[A"); chosen(11)
top.type("\r"); top.await_text(r" f11 < main$")
top.type("\x1b"); top.await_text(r"^5 processes"); chosen(11)
top.type("\x1b[F"); chosen(14)
top.type("\x1b[6~"); chosen(14)
top.type("\x1b[H"); chosen(12)
# The chosen one stays so, wherever it comes to stand.
top.type("l"); top.await_text(r"\*live"); chosen(12)
if not top.lines()[3].split()[1] == "900000":
    top.fail("not by live")
top.type("r"); top.await_text(r"\^live"); chosen(12)
top.type("r"); top.type("g"); top.await_text(r"\*growth/h")
# Escape alone ends nothing.
top.type("\x1b"); top.read(0.3); chosen(12)
# Keys, and back.
top.type("h"); top.await_text("any key goes back"); top.type("x"); top.await_text(r"^5 processes")
# A new one.
subprocess.run(["./scriptlog", "logs/pmem.16.log"], check=True, stdout=subprocess.DEVNULL, text=True,
               input="pid 16\nexe /bin/s16\n+ f 1 1000\nsnapshot 1000 churn\n+ f 1 9999\nsnapshot 60000 churn\n")
top.await_text(r"^6 processes")
top.await_text(r" 16 +s16$")
chosen(12)
# A search leaves those whose command, log or pid has the text; what is opened of them is one of them.
top.type("/S1"); top.await_text(r"^search: S1_: 0 of 6 processes, live 0 ")
top.type("\x7f\x7fpmem.1"); top.await_text(r"^search: pmem.1_: 6 of 6 processes")
top.type("4\r"); top.await_text(r"^search pmem.14: 1 of 6 processes, live 900000 "); shows(14)
top.type("\r"); top.await_text(r"^s14 14 on box")
top.type("q"); top.await_text(r"^search pmem.14: 1 of 6"); chosen(14)
top.type("\x1b"); top.await_text(r"Enter: one of them, /: search"); chosen(14)
if len(top.lines()) < 9:
    top.fail("not all are back")
top.type("/s12"); top.await_text(r"^search: s12_: 1 of 6"); top.type("\x1b"); top.await_text(r"Enter: one of them")
top.type("\x1b[H"); top.type("j"); chosen(12)
# What is chosen stays in sight, and no line is left empty.
top.resize(120, 6)
top.await_drawing()
top.type("\x1b[F"); chosen(14)
if [bool(l) for l in top.lines()] != [True] * 6:
    top.fail("an empty line")
top.type("\x1b[H"); top.await_text(r"^>.* s16$")
top.resize(120, 30)
top.await_drawing()
top.type("\x1b[F"); chosen(14)
top.await_text(r" s16$")
top.resize(1, 1)
top.await_drawing()
top.type("q")
if top.await_end() != 0:
    top.fail("ended with %d" % top.status)
top.check_left()
top.check()
top.close()
END2
python3 drive.py
