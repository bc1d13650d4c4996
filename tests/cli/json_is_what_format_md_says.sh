#!/bin/sh
# The JSON of `pmem leaks`, `report` and `diff` is JSON whatever the names are, has the members that
# src/FORMAT.md names and no others, and the numbers that the text has.

. "$PMEM_ROOT/tests/lib/maplog.sh"
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }

worker 11.log worker 11 1 0
worker 12.log worker 12 3 1
worker 21.log quiet 21 0 0
# Names that JSON must escape, a process that has ended, a limit, and memory outside of blocks.
{
	printf 'pid 31\nexe /usr/bin/a"\\x5c\\x01\\xc3\\xa9\n'
	awk 'BEGIN {
		for (i = 0; i < 90; i++)
			printf "memory %d 4000000\n+ drop\"/h<a>&/main 1 1000\n+ turn/work 1 1000\n- turn/work 1 1000\nsnapshot 60000 churn\n", 4e6 + i * 655360
	}'
	printf 'snapshot 1000 exit\n'
} | ./scriptlog 31.log >/dev/null
printf 'lose table_full 7\n+ a/b 1 100\nsnapshot 1000 churn\n' | ./scriptlog 41.log >/dev/null
# Short runs of one program.
for run in 1 2 3 4 5 6 7 8; do
	printf "pid 6$run\nexe /usr/bin/job\n+ turn ${run}00 9000\n- turn ${run}00 9000\n+ keep ${run}0 200\nsnapshot 9 exit\n" |
		./scriptlog 6$run.log >/dev/null
done

sed 's/^time=.*/& machine=1000000\/1600000/' 12.log >limit && mv limit 12.log
ask 0 --json --bytes --all --stacks ./*.log
mv out leaks.json
ask 0 --bytes --all -n 0 ./*.log
mv out leaks.txt
ask 0 --json --baseline 11.log --fail-on 1G 12.log
mv out baseline.json
ask 0 --json "$PMEM_ROOT/tests/cli/leaks/logs/unbound-small-leak.log.gz"
mv out unbound.json
maplog >mapped
ask 0 --json mapped
mv out mapped.json
# Most of live memory came last.
mkdir late
awk 'BEGIN {
	print "+ base/main 10 1000000"
	for (i = 0; i < 200; i++)
		print "+ work/handle 50 1000\n- work/handle 50 1000\n" (i == 196 ? "+ load/upload 29 1000000\n" : "") "snapshot 1000 churn"
}' | ./scriptlog late/51.log >/dev/null
ask 0 --json late/51.log
mv out late.json
"$pmem" report --json ./*.log >report.json 2>err || wrong "report"
"$pmem" report --json -n 1 --match drop ./*.log >match.json 2>err || wrong "report --match"
"$pmem" report --bytes -n 0 ./*.log >report.txt 2>err || wrong "report"
"$pmem" diff --json 12.log >diff.json 2>err || wrong "diff"
"$pmem" diff --json 11.log 12.log >two.json 2>err || wrong "diff of two"
"$pmem" report --json "$PMEM_ROOT/tests/cli/leaks/logs/unbound-small-leak.log.gz" >threads.json 2>err || wrong "threads"
"$pmem" report --json "$PMEM_ROOT/tests/cli/logs/languages.log" >languages.json 2>err || wrong "languages"
# Nothing of a terminal's in it, whatever is asked for.
"$pmem" leaks --json --color=always ./*.log >colors.json 2>err || wrong "colors"
status=0
"$pmem" report --json --tree 11.log >out 2>err || status=$?
[ $status -eq 2 ] || wrong "a tree as JSON"

cat >check.py <<'END'
import json, re, sys

def whole(name):
    return json.load(open(name), parse_constant=lambda word: sys.exit("no number: " + word))

answers = {name: whole(name + ".json") for name in (
    "leaks", "baseline", "mapped", "unbound", "late", "report", "match", "diff", "two", "languages", "threads",
    "colors")}
bad = []
def expect(what, true):
    if not true:
        bad.append(what)

# Members.
page = open(sys.argv[1]).read().split("## JSON of the reader")[1].split("\n## ")[0]
rows = [line for line in page.splitlines() if line.startswith("| `")]
told = set(re.findall(r"`([a-z_]+)`", "".join(line.split("|")[1] for line in rows)))
inner = {"of", "bytes", "used_bytes", "full_in_seconds", "live_and_mapped", "resident", "files", "outside",
    "looks_like", "count", "counts", "is_kept"}
seen = set()
def walk(value, inside):
    if isinstance(value, dict):
        for name in value:
            if inside != "losses":
                seen.add(name)
            walk(value[name], name)
    elif isinstance(value, list):
        for each in value:
            walk(each, inside)
for answer in answers.values():
    walk(answer, "")
words = set(re.findall(r"`([a-z_]+)`", page))
expect("not in FORMAT.md: %s" % sorted(seen - told - inner), seen <= told | inner)
expect("not in the table: %s" % sorted((seen & inner) - words), (seen & inner) <= words)
# A sampled log; a log with the kernel's numbers; a process of this machine (openmetrics_is_what_json_says.sh).
rare = {"error_bytes", "resident_bytes", "mostly", "is_running"}
expect("never written: %s" % sorted(told - seen - rare), told <= seen | rare)

# Numbers of leaks: a row of the text each.
leaks = answers["leaks"]
text = open("leaks.txt").read()
sums = re.search(r"^(\d+) of (\d+) processes leaks? (\d+) an hour in all, (?:each )?[0-9.]+% sure(?:;|$)", text, re.M)
runs = sum(job["runs"] for job in leaks["jobs"])
expect("sum", (leaks["leaking"], len(leaks["processes"]) - runs, leaks["rate"])
    == tuple(int(number) for number in sums.groups()))
count = 0
for process in leaks["processes"]:
    own = text.split(", process %d on" % process["pid"])[1].split(", process ")[0]
    for source in process["sources"]:
        if "confidence" not in source:
            continue
        count += 1
        row = [line for line in own.splitlines() if "{%s}" % source["stacks"][0]["id"] in line
            and "%" in line.split("{")[0]]
        expect("no row of %s" % source["where"], len(row) == 1)
        cells = row[0].split("{")[0].split()
        expect("verdict of %s" % row[0], row[0].strip().startswith(source["verdict"]))
        numbers = [source["growth_bytes"]] + ([source["rate"], source["rate_low"], source["rate_high"]]
            if "rate" in source else [])
        for number in numbers:
            expect("%d in %s" % (number, row[0]), str(number) in cells)
        expect("where of %s" % row[0], row[0].endswith(source["where"]))
    if process["verdict"] == "leaks":
        expect("rate of %d" % process["pid"], process["rate"]
            == sum(source.get("rate", 0) for source in process["sources"] if source["verdict"] == "leaks"))
    expect("sentences of %d" % process["pid"], process["sentences"]
        and all(line in own for line in process["sentences"]))
expect("too few leaks: %d" % count, count >= 4)
by_pid = {process["pid"]: process for process in leaks["processes"]}
expect("verdicts", [by_pid[pid]["verdict"] for pid in (11, 12, 21)] == ["leaks", "leaks", "no leak"])
expect("times", by_pid[11]["first"] == "2026-11-21T00:01:00.000Z")
expect("a line of two processes", any(line["processes"] == 2 for line in leaks["lines"]))
expect("limit", by_pid[12]["limit"]["full_in_seconds"] == round(600000 / by_pid[12]["rate"] * 3600))
expect("mapped", answers["mapped"]["processes"][0]["mapped_bytes"] == 120 * 524288 + 12 * 1048576)
expect("escapes", by_pid[31]["program"] and any('drop"' in source["where"] for source in by_pid[31]["sources"]))
expect("outside", by_pid[31]["memory"]["outside"]["verdict"] == "leaks")
expect("losses", by_pid[4242]["losses"] == {"table_full": 7})
expect("colors", answers["colors"]["lines"] == whole("leaks.json")["lines"])
expect("unbound", [process["verdict"] for process in answers["unbound"]["processes"]] == ["leaks"])
burst = answers["late"]["processes"][0]["burst"]
expect("burst", burst["growth_bytes"] == 29000000 and burst["where"] == "load < upload < main")
[line] = answers["unbound"]["lines"]
expect("function and module", (line["function"], line["module"]) == ("remember_request", "/srv/keep.so"))

# Rows add up to the total.
names = ("live_bytes", "live_blocks", "alloc_bytes", "allocs", "free_bytes", "frees")
for name in ("report", "match", "diff", "two", "languages", "threads"):
    answer = answers[name]
    parts = answer["rows"] + [answer[part] for part in ("more", "idle", "not_asked_for")]
    for moment in ("now", "before"):
        for member in names:
            expect("%s %s of %s" % (moment, member, name), answer["total"][moment][member]
                == sum(part[moment][member] for part in parts))
expect("live", answers["report"]["total"]["now"]["live_bytes"]
    == sum(process["live_bytes"] for process in answers["report"]["processes"]))
report = open("report.txt").read()
for row in answers["report"]["rows"]:
    if row["kind"] == "stack" and row["now"]["live_bytes"] > 0:
        lines = [line for line in report.splitlines() if line.split()[:1] == [str(row["now"]["live_bytes"])]
            and line.endswith(row["where"])]
        expect("row %s" % row["where"], lines)
expect("all rows", answers["match"]["not_asked_for"]["count"] > 0 and answers["report"]["more"]["count"] == 0)
expect("two moments", len(answers["diff"]["processes"]) == 1 and len(answers["two"]["processes"]) == 2)
languages = {frame.get("language") for row in answers["languages"]["rows"] for frame in row.get("stack", [])}
expect("languages %s" % languages, "python" in languages)
for what in bad:
    print(what)
sys.exit(bool(bad))
END
python3 check.py "$PMEM_ROOT/src/FORMAT.md" || exit 1
