#!/bin/sh
# long
# `pmem leaks --to openmetrics` has each number that --json has of the same logs and no others, one
# sample for each set of labels, bounded labels, and families as OpenMetrics 1.0 has them. -o replaces a
# file whole, or keeps it.

. "$PMEM_ROOT/tests/lib/maplog.sh"
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
command -v zstd >/dev/null || { echo "skipped: needs zstd"; exit 77; }
command -v bash >/dev/null || { echo "skipped: needs bash"; exit 77; }
command -v strace >/dev/null || { echo "skipped: needs strace"; exit 77; }

# Two processes of one name, one with a limit; names that must be escaped or cut, memory outside of
# blocks, an end; a log too short; one without times; copies of a log without ids; mapped memory; exec().
worker 11.log worker 11 1 0
worker 12.log worker 12 3 1
sed 's/^time=.*/& machine=1000000\/1600000/' 12.log >limit && mv limit 12.log
long=$(awk 'BEGIN { for (i = 0; i < 60; i++) printf "long" }')
growing() {
	awk -v outside="$1" -v where="$2" 'BEGIN {
		for (i = 0; i < 90; i++)
			printf "memory %.0f 4000000\n+ %s 1 1000\n+ turn/work 1 1000\n- turn/work 1 1000\nsnapshot 60000 churn\n",
				4e6 + i * outside, where
	}'
}
{
	printf 'pid 31\nexe /usr/bin/a"\\x5c\\x0a\\x01\\xc3\\xa9\n'
	growing 655360 "drop\"/h<a>&/main"
	printf 'snapshot 1000 exit\n'
} | ./scriptlog 31.log >/dev/null
{ printf 'pid 32\nexe /usr/bin/%s\n' "$long"; growing 655360 "$long/main"; } | ./scriptlog 32.log >/dev/null
printf 'lose table_full 7\n+ a/b 1 100\nsnapshot 1000 churn\n' | ./scriptlog 41.log >/dev/null
mkdir apart
sed 's/ run=[0-9a-f]*//' 11.log >51.log
sed 's/drop/dorp/' 51.log >apart/51.log
maplog >77.log
# Outside grows, and of its sources nobody can tell yet.
late=$(echo "$PMEM_ROOT"/tests/corpus/logs/haproxy.leak/*.log.zst)
logs="11.log 12.log 31.log 32.log 41.log 51.log apart/51.log 77.log $late $PMEM_ROOT/tests/cli/logs/seed.log"

# A process that runs, and then does not; what it was before exec() does not run either.
mkfifo pipe
LD_PRELOAD=$PMEM_LIBRARY bash -c ': {1..3000}; exec bash -c ": {1..3000}; read word"' <pipe &
running=$!
exec 5>pipe
tries=0
until awk '/^# pmem [0-9]/ { runs++; n = 0 } /^time=/ { n++ } END { exit !(runs == 2 && n) }' pmem.$running.log 2>/dev/null; do
	tries=$((tries + 1))
	[ $tries -lt 600 ] || wrong "no log of bash"
	sleep 0.05
done
# shellcheck disable=SC2086
"$pmem" leaks --to openmetrics $logs pmem.$running.log >runs.prom 2>err || wrong "runs"
"$pmem" leaks --json $logs pmem.$running.log >runs.json 2>err || wrong "runs"
ask 0 11.log 12.log pmem.$running.log
says_not '^none is known to run'
kill -9 $running
wait $running || :
ask 0 11.log 12.log pmem.$running.log
says '^none is known to run, last heard '
"$pmem" leaks --to openmetrics -n 3 $logs pmem.$running.log >gone.prom 2>err || wrong "gone"
"$pmem" leaks --json $logs pmem.$running.log >gone.json 2>err || wrong "gone"

# Many processes, and many lines: the worst are there.
awk 'BEGIN {
	print "pid 61"
	for (i = 0; i < 25; i++) {
		for (k = 1; k <= 15; k++)
			printf "+ drop_%c/work %d 1000\n", 64 + k, k
		print "snapshot 60000 churn"
	}
}' | ./scriptlog many.log >/dev/null
i=100
while [ $i -lt 205 ]; do
	sed "s/ pid=61 / pid=$i /; s/ run=[0-9a-f]*/ run=0000000000000$i/" many.log >many.$i.log
	i=$((i + 1))
done
"$pmem" leaks --to openmetrics 11.log many.*.log 41.log >many.prom 2>err || wrong "many"
"$pmem" leaks --json 11.log many.*.log 41.log >many.json 2>err || wrong "many"

cat >check.py <<'END2'
import json, re, sys
from datetime import datetime

bad = []
def expect(what, true):
    if not true:
        bad.append(what)

sample = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)')
label = re.compile(r'([a-z]+)="((?:[^"\\]|\\.)*)"')

# Families of a text: {name: {labels: value}}.
def families(file):
    text = open(file, encoding="utf-8").read()
    expect("the end of " + file, text.endswith("\n# EOF\n") and text.count("# EOF") == 1)
    told, all, last = {}, {}, None
    for line in text.splitlines()[:-1]:
        word = re.fullmatch(r"# (HELP|TYPE|UNIT) (\S+) (.+)", line)
        if word:
            expect("again: " + line, (word[1], word[2]) not in told and word[2] not in all)
            told[word[1], word[2]] = word[3]
            last = word[2]
            continue
        parts = sample.fullmatch(line)
        expect("no sample: " + line, parts)
        name, value = parts[1], float(parts[3])
        labels = tuple((one, re.sub(r"\\(.)", r"\1", text)) for one, text in label.findall(parts[2] or ""))
        expect("apart from its family: " + line, name == last)
        expect("no help or type: " + line, ("HELP", name) in told and told.get(("TYPE", name)) == "gauge")
        unit = told.get(("UNIT", name))
        expect("unit of " + line, name.endswith("_" + unit) if unit
            else not name.endswith(("_bytes", "_seconds", "_second")))
        expect("twice: " + line, labels not in all.setdefault(name, {}))
        expect("labels of " + line, len(labels) <= 6 and all_short(labels))
        expect("value of " + line, value == value and abs(value) != float("inf"))
        all[name][labels] = value
    return all

def all_short(labels):
    return all(len(value.encode()) <= 120 and value.isprintable() for _, value in labels)

def near(a, b, off):
    return abs(a - b) <= off

def seconds(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

# What the process must have.
def is_over(process):
    return process["has_ended"] or process.get("is_running") is False

def wanted(process):
    has_times = process["rate_unit"] == "bytes an hour"
    outside = process["memory"].get("outside", {})
    limit = process.get("limit", {})
    of = {"last_snapshot_timestamp_seconds": seconds(process["last"])} if has_times else {}
    is_open = any(of["verdict"] in ("too early", "not judged") for of in process["sources"] + [outside] if of)
    if is_over(process):
        pass
    elif process["rate"] > 0 or process["verdict"] in ("stopped", "no leak") or process["verdict"] == "outside" and not is_open:
        of["leak_rate_bytes_per_second"] = process["rate"] / 3600
    if outside.get("verdict") == "leaks" and "rate" in outside and not is_over(process):
        of["outside_rate_bytes_per_second"] = outside["rate"] / 3600
    if is_over(process) or "is_running" in process:
        of["running"] = 0 if is_over(process) else 1
    if not is_over(process):
        of.update(live_bytes=process["live_bytes"], resident_bytes=process.get("resident_bytes"),
            mapped_bytes=process.get("mapped_bytes"), outside_bytes=outside.get("last_bytes"),
            limit_bytes=limit.get("bytes"), limit_used_bytes=limit.get("used_bytes"),
            until_limit_seconds=limit.get("full_in_seconds"))
    if not has_times:
        of.pop("leak_rate_bytes_per_second", None)
    return {"pmem_process_" + name: value for name, value in of.items() if value is not None}

off = {"pmem_process_until_limit_seconds": 0.5, "pmem_process_leak_rate_bytes_per_second": 0.5 / 3600 + 1e-9,
    "pmem_process_outside_rate_bytes_per_second": 0.5 / 3600 + 1e-9, "pmem_process_outside_bytes": 0.5,
    "pmem_process_live_bytes": 0.5}
verdicts = ["leaks", "kept", "too early", "stopped", "outside", "not judged", "no leak"]
seen, cases = set(), set()

# Compares a text with the JSON of the same logs. Returns the labels of its processes.
def compare(name, lines=10):
    metrics, answer = families(name + ".prom"), json.load(open(name + ".json"))
    processes = answer["processes"]
    seen.update(metrics)
    expect("schema", metrics["pmem_build_info"] == {(("version", answer["pmem"]), ("schema", "1")): 1})
    expect("whole", metrics["pmem_logs_whole"] == {(): 1})
    expect("counts", metrics["pmem_processes"] == {(("verdict", verdict),):
        sum(process["verdict"] == verdict for process in processes) for verdict in verdicts})
    # Of processes that have ended there are no rates.
    living = [process for process in processes if not is_over(process) and process["rate_unit"] == "bytes an hour"]
    rate = metrics.get("pmem_leak_rate_bytes_per_second", {}).get((), None)
    expect("a rate of those that live", (rate is None) == (not living))
    ended = any(is_over(process) and process["rate"] > 0 for process in processes)
    worst = metrics.get("pmem_line_leak_rate_bytes_per_second", {})
    if ended:
        cases.add("a leak that has ended")
        most = sum(process["rate"] for process in living)
        expect("rate of those that live", (rate or 0) <= most / 3600 + 2e-4)
        expect("lines of those that live", sum(worst.values()) <= most / 3600 + 2e-4)
    elif rate is not None:
        expect("rate of all", near(rate, answer["rate"] / 3600, 2e-4))
        expect("lines %d" % len(worst), len(worst) == min(lines, len(answer["lines"])))
    for labels, line in zip(worst, answer["lines"] if not ended else []):
        expect("line %s" % line["where"], dict(labels)["where"] in (line["where"], line["where"][:120])
            and near(worst[labels], line["rate"] / 3600, 2e-4))
    # Labels of a process: those of its verdict, less that.
    own = {}
    for labels, value in metrics["pmem_process_verdict"].items():
        own.setdefault(labels[:-1], {})[labels[-1][1]] = value
    expect("left out", metrics["pmem_processes_left_out"] == {(): max(len(processes) - 100, 0)})
    expect("processes", len(own) == min(len(processes), 100))
    for labels in own:
        of = dict(labels)
        same = [process for process in processes if str(process.get("pid", "")) == of["pid"]
            and process.get("run", "") == of["run"].split("#")[0]]
        expect("%d times: %s" % (len(same), of), len(same) == 1 or of["pid"] == "11" and of["run"][:1] in ("", "#"))
        process = same[-1] if "#" in of["run"] else same[0]
        expect("name of %s" % of, process["program"].startswith(of["program"]) and of["program"]
            and of["host"] == process.get("host", ""))
        got = {name: samples[labels] for name, samples in metrics.items() if labels in samples}
        want = wanted(process)
        expect("%s: %s, not %s" % (of, got, want), got.keys() == want.keys()
            and all(near(got[one], want[one], off.get(one, 0)) for one in got))
        expect("verdict of %s" % of, own[labels] == {one: one == process["verdict"] for one in verdicts})
        seen.update(got)
    return own

for name in ("runs", "gone"):
    own = compare(name, 3 if name == "gone" else 10)
    running = [dict(labels) for labels, value in families(name + ".prom")["pmem_process_running"].items() if value]
    expect("%s: %s" % (name, running), [of["pid"] for of in running] == (sys.argv[1:2] if name == "runs" else []))
    before = [dict(labels)["run"] for labels in own if dict(labels)["pid"] == sys.argv[1]]
    expect("runs of one process: %s" % before, len(before) == 2)
    same = sorted(dict(labels)["run"] for labels in own if dict(labels)["pid"] == "11")
    expect("equal processes: %s" % same, same[:2] == ["", "#2"] or same[:2] == ["#2", ""])
own = compare("many")
expect("the best is left out", all(dict(labels)["pid"] not in ("11", "4242") for labels in own))

# FORMAT.md has each, and no others.
page = open(sys.argv[2]).read().split("## Metrics of the reader")[1]
told = set(re.findall(r"^\| `(pmem_[a-z_]+)`", page, re.M))
expect("cases", cases)
expect("in FORMAT.md and not written: %s" % (told - seen), told <= seen)
expect("not in FORMAT.md: %s" % (seen - told), seen <= told)
for what in bad:
    print(what)
sys.exit(bool(bad))
END2
python3 check.py $running "$PMEM_ROOT/src/FORMAT.md" || exit 1

# Equal labels are numbered in the order of the logs, whichever leaks faster.
worker slow.log worker 21 1 0
worker fast.log worker 21 3 0
for name in slow fast; do
	sed 's/ run=[0-9a-f]*//' $name.log >old.$name.log
done
# numbered FIRST SECOND LINES: of these logs, the numbers and rates, the faster one first.
numbered() {
	"$pmem" leaks --to openmetrics "$1" "$2" >two.prom 2>err || wrong "equal labels"
	sed -n 's/^pmem_process_leak_rate_bytes_per_second{.*,run="\(.*\)",host=.*} /\1 /p' two.prom >out
	[ "$(cat out)" = "$3" ] || wrong "equal labels of $1 $2"
}
numbered old.slow.log old.fast.log '#2 5
 1.666666666667'
numbered old.fast.log old.slow.log ' 5
#2 1.666666666667'

# The order is always the same, and rows of --stacks, -a or a terminal's colors change nothing.
for options in "--stacks -v --bytes" "--all --color=always"; do
	# shellcheck disable=SC2086
	"$pmem" leaks --to openmetrics $options $logs pmem.$running.log -n 3 2>err | cmp - gone.prom || wrong "not the same: $options"
done

# -o: a file for another user, whole at any time.
umask 022
ask 0 --to openmetrics -o new.prom 11.log 12.log
[ ! -s out ] && [ "$(stat -c %a new.prom)" = 644 ] || wrong "not to be read by others"
chmod 640 new.prom
strace -f -e trace=fsync,rename,renameat,renameat2 -o calls "$pmem" leaks --to openmetrics -o new.prom 11.log
grep -oE '^[0-9]+ +(fsync|rename)' calls | awk '{ print $2 }' | tr '\n' ' ' | grep -qx 'fsync rename ' ||
	wrong "calls: $(cat calls)"
[ "$(stat -c %a new.prom)" = 640 ] && [ "$(grep -c pid=.12 new.prom)" -eq 0 ] || wrong "not replaced"
cp new.prom old.prom
keeps() {
	cmp new.prom old.prom || wrong "$1: changed"
	[ "$(ls new.prom*)" = new.prom ] || wrong "$1: something is left"
}
ask 1 --to openmetrics -o new.prom nothing.log
keeps "no log"
cp 11.log same.log
for output in 11.log same.log; do
	ask 2 --to openmetrics -o $output 11.log same.log
	ask 2 --to openmetrics -o $output --baseline same.log 11.log
	ask 2 -o $output --baseline $output --baseline 12.log 12.log
	cmp 11.log same.log || wrong "a log was written to"
done
rm same.log
ask 2 --to openmetrics -o new.prom
keeps "no operand"
if (trap '' XFSZ; ulimit -f 1; exec "$pmem" leaks --to openmetrics -o new.prom 11.log 12.log) >out 2>err; then
	wrong "no room"
fi
grep -q '^pmem: new.prom: File too large$' err || wrong "no room"
keeps "no room"
ask 1 --to openmetrics -o nowhere/new.prom 11.log
# What could be read is told, and that it is not all.
ask 1 --to openmetrics -o new.prom 11.log nothing.log
grep -qx 'pmem_logs_whole 0' new.prom || wrong "not all logs"
ask 3 --to openmetrics --fail-on 0 -o new.prom 11.log
ask 0 -o text 11.log
"$pmem" leaks 11.log 2>err | cmp - text || wrong "text"
# A file is no terminal, whatever its width.
COLUMNS=60 "$pmem" leaks 11.log 2>err | cmp -s - text && wrong "COLUMNS says nothing"
COLUMNS=60 "$pmem" leaks -o narrow 11.log 2>err && cmp narrow text || wrong "a file as wide as a terminal"
ask 2 --json --to openmetrics 11.log
