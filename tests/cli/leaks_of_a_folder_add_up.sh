#!/bin/sh
# A folder's answer adds up: who grows outside beside its leaks, what a process leaks in all, how sure each row
# is where rows differ. What is too early is told beside leaks, the largest first, and all of it with -v. Of what
# has ended it is told how: by exit, freed with the exit, or killed, and by whom as far as that is known.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
mkdir here

# minutes PID NAME EACH [FIRST] [LAST]: so many as EACH is called, an awk program with i from 0 to 99, of a
# process that leaks 1,000 bytes a minute, on this machine. Its first lines, and its last snapshot's reason.
minutes() {
	awk "BEGIN {
		print \"pid $1\\nexe /usr/bin/$2\\nhost $(uname -n)${4:+\\n$4}\"
		for (i = 0; i < 100; i++) {
			print \"+ turn/work 9 100\\n- turn/work 9 100\\n+ drop/handle 1 1000\"
			$3
			print \"snapshot 60000 \" (i == 99 ? \"${5:-churn}\" : \"churn\")
		}
	}" | ./scriptlog "here/pmem.$1.log" >/dev/null
	sed -i "s/pidns=[0-9]*/pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)/" "here/pmem.$1.log"
}

# Beside leaks from a tenth of their growth on: at last so many thousand bytes a minute elsewhere.
elsewhere=$(date -u -d '-100 minutes' +%Y-%m-%dT%H:%M:00.000Z)
for number in 1 2 3 4 5; do
	minutes 5$number late "if (i >= 95) print \"+ keep/handle $number$number 1000\"" "start $elsewhere"
	sed -i 's/host=[^ ]*/host=elsewhere/; s/ on [^ ]*$/ on elsewhere/' here/pmem.5$number.log
done
minutes 56 little 'if (i >= 95) print "+ keep/handle 1 1000"' "start $elsewhere"
ask 0 here
says '^6 of 6 processes leak [0-9]+ KiB an hour in all, each 99\.9% sure$'
says '^too early: late 55: 27[0-9] KiB of the 36[0-9] KiB live came in the last 5m 0s, 269 KiB of it in keep < handle < main$'
says '^too early: late 53: '
says_not '^too early: late 5[12]: '
says '^too early: 2 more \(-v\)$'
ask 0 -v here
[ "$(grep -c '^too early: late 5[1-5]: ' out)" -eq 5 ] || wrong "not all of them"
says_not 'more \(-v\)|^too early: little'
ask 0 here/pmem.55.log
says '^too early: 27[0-9] KiB of the 36[0-9] KiB live came in the last 5m 0s'
rm here/*

# What grows outside malloc beside leaks is not counted twice.
outside='printf "memory %d 4000000\n", 4e6 + i * 655360'
minutes 61 both "$outside"
minutes 62 leaks ''
ask 0 here
says '^2 of 2 processes leak .* sure; 1 also outside$'
minutes 63 outside "$outside
	if (i % 9 == 8) print \"- drop/handle 9 1000\""
ask 0 here
says '^2 of 3 processes leak .* sure; 1 also outside, 1 only outside$'
rm here/*

# In all: a process with three rows, where that is more than its largest.
minutes 71 three 'print "+ spill/flush 2 1000\n+ take/flush 1 1000"'
minutes 72 one ''
ask 0 here
says '^in all: 234 KiB an hour in three 71$'
minutes 73 two 'print "+ spill/flush 3 1000"'
minutes 74 rest 'print "+ spill/flush 5 1000\n+ hold/flush 5 1000"'
ask 0 --by stack here
says '^in all: 645 KiB an hour in rest 74, 234 KiB in three 71$'
minutes 76 more 'print "+ spill/flush 1 1000\n+ take/flush 1 1000"'
ask 0 --by stack here
says '^in all: 645 KiB an hour in rest 74, 234 KiB in three 71, 176 KiB in more 76$'
rm here/pmem.76.log
minutes 75 tiny 'if (i % 20 == 1) print "+ spill/flush 1 900\n+ take/flush 1 900"'
rm here/pmem.7[14].log
ask 0 here
says_not '^in all'
rm here/*

# One that leaks in more lines than a table has rows hides no other: its smallest rows go.
minutes 78 many 'for (k = 0; k < 16; k++) print "+ keep_" k "/flush " 20 - k " 1000"'
minutes 79 small 'print "+ turn/work 1 1"'
sed -i 's/drop/lose/' here/pmem.79.log
ask 0 here
says '^ *58\.6 KiB .* small 79 +lose < handle < main$'
says '^and 3 more sources$'
[ "$(grep -c '[KM]iB .* many 78 ' out)" -eq 14 ] || wrong "not 14 rows"
awk '/KiB .*< main$/ { if (before && $1 > before) exit 1; before = $1 }' out || wrong "not by rate"
# Then no second row of a process is less than 1 % of all, unless asked for.
rm here/pmem.78.log
minutes 78 many 'for (k = 0; k < 16; k++) print "+ keep_" k "/flush " (k < 10 ? 20 - k : 1) " " (k < 10 ? 1000 : 900)'
ask 0 here
[ "$(grep -c '[KM]iB .* many 78 ' out)" -eq 10 ] || wrong "not 10 rows"
says '^ *58\.6 KiB .* small 79 +lose < handle < main$'
says '^and 7 more sources$'
for how in -v '-n 15'; do
	# shellcheck disable=SC2086
	ask 0 $how here
	[ "$(grep -c '^ *[0-9.]* [KM]iB .*  many 78  ' out)" -eq 14 ] || wrong "$how: not 14 rows"
	says '^and 3 more sources$'
done
rm here/*

# How sure each row is, where rows differ: one log is exact, one estimates.
minutes 76 exact ''
minutes 77 sampled ''
sed -i '/^# pmem/s/$/ sampled=14000/; s/drop/lose/' here/pmem.77.log
ask 0 here
says '^2 of 2 processes leak 117 KiB an hour in all, 99\.6% to 99\.9% sure$'
says '^ *an hour +sure +resident +'
says '^ *58\.6 KiB +99\.6% .* sampled 77 +lose < handle < main$'
says '^ *58\.6 KiB +99\.9% .* exact 76 +drop < handle < main$'
rm here/*

# What was freed at the exit is no loss. Its row says so.
minutes 81 frees 'if (i == 99) print "- drop/handle 100 1000"' '' exit
minutes 82 keeps '' '' exit
ask 0 here
says '[0-9]Z +freed +frees 81  drop < handle < main$'
says '[0-9]Z +01:[34][0-9]Z +keeps 82  drop < handle < main$'
rm here/*

# Without an exit, on this machine, it was killed. A later snapshot of another one in its control group has the
# kernel's kills, or its own last one had its memory full.
sleep 0 &
gone=$!
wait $gone
minutes $gone killed ''
minutes 92 exits '' '' exit
ask 0 here
says '^none is known to run, last heard .* ago; 1 that leaks \(~\) was killed, or called _exit\(\)$'
sed 's|^time=.*|& cgroup=1000000/1800000 oom_kills=1|' here/pmem.$gone.log >here/pmem.$gone.new
mv here/pmem.$gone.new here/pmem.$gone.log
sed -i 's|^time=.*|& cgroup=1000000/1800000 oom_kills=3|' here/pmem.92.log
ask 0 here
says '; 1 that leaks \(~\) was killed, or called _exit\(\); the kernel has killed 2 for memory$'
sed -i 's/oom_kills=3/oom_kills=1/' here/pmem.92.log
ask 0 here
says '; 1 that leaks \(~\) was killed, or called _exit\(\)$'
sed -i 's|cgroup=1000000/1800000|cgroup=1750000/1800000|' here/pmem.$gone.log
ask 0 here
says '; 1 that leaks \(~\) was killed, or called _exit\(\); memory was full at the last snapshot of 1$'
rm here/*

# Resident memory of what runs grows, and nothing leaks: where, the kernel can say. Pid 1 runs.
if [ "$(ps -o etimes= -p 1 2>/dev/null || echo 0)" -gt 1200 ]; then
	awk "BEGIN {
		print \"pid 1\nexe /usr/bin/grows\nhost $(uname -n)\nstart $(date -u -d '-20 minutes' +%Y-%m-%dT%H:%M:00.000Z)\"
		for (i = 0; i < 100; i++) {
			others = 30 + (i * i * 7 + i * 31) % 97 * 4 + i / 2
			print \"memory \" others * 1048576 \" \" (450 - others + i) * 1048576
			print \"+ turn/work 1 1000\n- turn/work 1 1000\nsnapshot 12000 churn\"
		}
	}" | ./scriptlog here/pmem.1.log >/dev/null
	sed -i "s/pidns=[0-9]*/pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)/" here/pmem.1.log
	minutes 95 still ''
	ask 0 here
	says 'resident memory grows 300 MiB an hour: pmap -x 1 shows where \(--all\)$'
fi
