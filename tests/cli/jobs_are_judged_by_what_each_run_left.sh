#!/bin/sh
# long
# Many short runs of one program are judged together, by what each left at its exit: what grows with a
# run's work leaks, what is the same after more work is kept, and of all else the range is told. Rates are
# not made of that. One run is no job, and one that was killed has left nothing that is known.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

top=$PWD
# run NAME SCRIPT: one more run of the program.
pid=100
run() {
	pid=$((pid + 1))
	printf 'pid %d\nexe /usr/bin/%s\n%b\n' $pid "$1" "$2" | "$top/scriptlog" pmem.$pid.log >/dev/null
}
# job NAME COUNT SCRIPT: so many runs; $i counts them, $work is ten MiB more each time.
job() {
	i=0
	while [ $i -lt "$2" ]; do
		i=$((i + 1))
		run "$1" "+ turn $((i * 10)) 1048576\n- turn $((i * 10)) 1048576\n$(eval "echo \"$3\"")\nsnapshot 50 ${4:-exit}"
	done
}
table='+ table 1 65536'

# Truth: load() keeps 10,000 bytes with each 10 MiB. That is 0.95 KiB of each MiB.
job leaky 20 "$table\n+ load \$((i * 10)) 1000"
ask 0 .
says '^leaks: leaky: 20 of 20 runs leave 9\.77 KiB to 195 KiB in load < main$'
says_not 'an hour|too early'
[ "$(wc -l <out)" -eq 1 ] || wrong "more than a line"
ask 0 -v .
says '^leaks: leaky: 20 of 20 runs leave 9\.77 KiB to 195 KiB in load < main; 999 B more per MiB allocated$'
says '^no leak: leaky: 20 of 20 runs leave 64\.0 KiB each in table < main: the same after more work$'
# Killed ones are not counted, and one run is no job.
job leaky 5 "$table\n+ load \$((i * 10)) 1000" churn
job once 1 "$table"
ask 0 .
says '^leaks: leaky: 20 of 20 runs leave 9\.77 KiB to 195 KiB in load < main$'
says '^too early to tell of 6 processes: 5 leaky, once 126 \(--all\)$'

# A mix of programs, each with its truth, beside a process that leaks by the hour.
job twin 20 "$table\n+ load \$((i * 10)) 1000\n- load \$((i * 10)) 1000"
job clean 20 '+ load 3 1000\n- load 3 1000'
job cache 20 '+ fill $((i < 8 ? i : 8)) 10000'
job noise 20 '+ chance $((i * 7919 % 101 + 20)) 1000'
job seldom 21 '$([ $((i % 3)) -ne 0 ] || echo "+ fail 5 1000")'
job pair 2 "$table"
job some 5 '+ keep $((i * 10)) 1000'
# Some allocate nothing else that differs: a buffer of any size is no more work.
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	run rotate "+ load 1000 3450\nsnapshot 50 exit"
	run buffer "+ turn 10 50000\n- turn 10 50000\n+ read_all 1 $((i * 7919 % 101 * 10000 + 100000))\nsnapshot 50 exit"
done
worker pmem.9.log worker 9 2 0
ask 0 .
says '^1 of [0-9]+ processes leaks 11\.[0-9] KiB an hour in all, 99.9% sure; 1 of [0-9]+ jobs leaks$'
says '^leaks: leaky: 20 of 20 runs '
says '^no leak: twin: 20 of 20 runs leave 64\.0 KiB each in table < main: the same after more work$'
says '^not judged: cache: 20 of 20 runs leave 9\.77 KiB to 78\.1 KiB in fill < main: it varies, but not with the work$'
says '^not judged: noise: 20 of 20 runs leave 22\.5 KiB to 108 KiB in chance < main: it varies, but not with the work$'
says '^no leak: seldom: 7 of 21 runs leave 4\.88 KiB each in fail < main: '
says '^not judged: rotate: 20 of 20 runs leave 3\.29 MiB each in load < main: the same work each time, so it may be a table: give one run twice as much$'
says '^not judged: buffer: 20 of 20 runs leave 127 KiB to 986 KiB in read_all < main: it varies, but not with the work$'
says '^no leak: none of 20 runs leaves 1\.00 KiB in any place: 20 clean$'
says '^not judged: some: 5 of 5 runs leave 9\.77 KiB to 48\.8 KiB in keep < main: too few runs$'
says '^too early to tell of 8 processes: 5 leaky, 2 pair, once 126 \(--all\)$'
[ "$(grep -E '^(leaks|not judged|no leak): [a-z]+: [0-9]+ of ' out | cut -d : -f 2 | tr -d '\n')" = ' leaky rotate buffer noise cache some twin seldom' ] ||
	wrong "not in order"

# The same by stack and by name, of one place alone, and of large ones.
for by in '--by stack' --by-name; do
	# shellcheck disable=SC2086
	ask 0 $by .
	says '^leaks: leaky: 20 of 20 runs leave 9\.77 KiB to 195 KiB in load < main$'
done
ask 0 --match 'tab' --exe leaky .
says '^no leak: leaky: 20 of 20 runs leave 64\.0 KiB each in table < main: '
says_not 'load'
ask 0 --match 'tab' --exe clean .
says '^no leak of what was asked for: none of 20 runs leaves 1\.00 KiB in any place: 20 clean$'
ask 0 --min 1M .
says '^not judged: rotate: '
says_not '^(leaks|no leak): [a-z]+: [0-9]+ of '
# What is asked for by the hour does not count what was left.
ask 0 --fail-on 0 --exe leaky .

# Each script of an interpreter is a program. The words behind it are its own.
mkdir scripts
cd scripts
for script in first.py second.py; do
	for i in 1 2 3 4 5 6 7 8 9; do
		run snake "+ turn $((i * 10)) 1048576\n- turn $((i * 10)) 1048576\n+ @python:|srv|$script:7~in~keep/@python:|srv|$script:1~in~<module> $((i * ${#script})) 1000\nsnapshot 50 exit"
		sed "s/~in~/ in /; 2s|\$|\n# command snake -X dev /srv/$script $i|" pmem.$pid.log >with && mv with pmem.$pid.log
	done
done
# Where it is no script's line, what is behind the name of the program is its work.
for i in 1 2 3; do
	run other "$table\nsnapshot 50 exit"
	sed "2s|\$|\n# command other $((i * i * 99)) file|" pmem.$pid.log >with && mv with pmem.$pid.log
done
ask 0 .
says '^not judged: other: 3 of 3 runs '
rm pmem.$((pid - 2)).log pmem.$((pid - 1)).log pmem.$pid.log
ask 0 .
says '^leaks: snake first\.py: 9 of 9 runs leave 7\.81 KiB to 70\.3 KiB in .*first\.py:7 in keep'
says '^leaks: snake second\.py: 9 of 9 runs leave 8\.79 KiB to 79\.1 KiB in .*second\.py:7 in keep'
says '^2 of 2 jobs leak$'
[ "$(wc -l <out)" -eq 3 ] || wrong "more than two scripts"
cd ..
rm -r scripts

# Nor is one of minutes told alone, if it had too few snapshots for a rate.
mkdir slow
cd slow
for i in 1 2 3 4 5 6 7 8; do
	turn="+ turn $((i * 3)) 1048576\n- turn $((i * 3)) 1048576\n+ grow $((i * 10)) 10000\nsnapshot 40000 churn\n"
	run slow "$turn$turn${turn}snapshot 1000 exit"
done
for how in '' -v; do
	# shellcheck disable=SC2086
	ask 0 $how .
	says "^leaks: slow: 8 of 8 runs leave 293 KiB to 2\.29 MiB in grow < main${how:+; 31\.5 KiB more per MiB allocated}\$"
	[ "$(grep -c . out)" -eq 1 ] || wrong "more than a line"
done
cd ..
rm -r slow

# Of twelve programs that leak two are not named, but counted.
mkdir many
cd many
for name in a b c d e f g h i j k; do
	job $name 8 '+ load $((i * 10)) 1000'
done
ask 0 .
says '^1 more program leaks \(-v\)$'
job l 8 '+ load $((i * 10)) 1000'
ask 0 .
says '^2 more programs leak \(-v\)$'
[ "$(grep -c '^leaks: [a-l]: 8 of 8 runs ' out)" -eq 10 ] || wrong "not ten"
ask 0 -v .
[ "$(grep -c '^leaks: [a-l]: 8 of 8 runs ' out)" -eq 12 ] || wrong "not all"
cd ..
rm -r many

# Programs, not lines, by their first ten.
for name in a b c d e f g h; do
	job $name 3 "$table"
done
ask 0 .
[ "$(grep -Ec '^(leaks|not judged|no leak): [a-z]+: [0-9]+ of ' out)" -eq 10 ] || wrong "not ten"
says '^6 more programs leave memory \(-v\)$'
[ "$(wc -l <out)" -le 24 ] || wrong "more than a screen"
ask 0 -v .
[ "$(grep -E '^(leaks|not judged|no leak): [a-z]+: [0-9]+ of ' out | cut -d : -f 2 | sort -u | wc -l)" -eq 16 ] || wrong "not all"

# Where more places of it leak, there is a word of them; of what is no leak there is none.
mkdir double
(
	cd double
	job double 20 "$table\n+ load \$((i * 10)) 1000\n+ keep \$((i * 5)) 1000"
)
ask 0 double
says '^leaks: double: 20 of 20 runs leave 9\.77 KiB to 195 KiB in load < main; 1 more place \(-v\)$'
ask 0 -v double
says '^leaks: double: 20 of 20 runs leave 9\.77 KiB to 195 KiB in load < main; [0-9]+ B more per MiB allocated$'

command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
"$pmem" leaks --json . >out.json 2>err || wrong "status $?"
python3 - <<'END' || wrong "JSON"
import json
jobs = {job["program"]: job for job in json.load(open("out.json"))["jobs"]}
assert len(jobs) == 17, sorted(jobs)
leaky = jobs["leaky"]
assert (leaky["verdict"], leaky["runs"]) == ("leaks", 20), leaky
load, table = leaky["places"]
assert (load["where"], load["verdict"], load["runs"]) == ("load < main", "leaks", 20), load
assert (load["lowest_bytes"], load["highest_bytes"], load["mean_bytes"]) == (10000, 200000, 105000), load
assert load["bytes_each_mib"] == 999, load
assert table["verdict"] == "no leak" and "bytes_each_mib" not in table, table
assert jobs["clean"]["verdict"] == "no leak" and jobs["clean"]["places"] == []
assert [jobs[name]["verdict"] for name in ("rotate", "some", "noise")] == ["not judged"] * 3
END
