#!/bin/sh
# Lines of Ruby and Python in each export: with file and line where the format has a field for them,
# as "function (file:line)" where it has not; mwrap's is file:line of the innermost line, summed. A
# log without such lines has the columns that it always had. Sums are the log's.

. "$PMEM_ROOT/tests/lib/export.sh"
. "$PMEM_ROOT/tests/cli/report/make.sh"
need python3 python3
make_log >a.log <<'E' || exit 1
#define MAIN "/@ruby:|srv|app.rb:60 in block in <main>/@ruby:|srv|app.rb:58 in <main>"
struct makelog *log = makelog_open(stdout, &options);
static const char *const stacks[] = {
	"rb_str_resize/rb_vm_exec/@ruby:|srv|app.rb:42 in Order#total" MAIN,
	"ary_resize/vm_call_cfunc/rb_vm_exec/@ruby:|srv|app.rb:42 in Order#total" MAIN,
	"rb_vm_exec/@ruby:|var|lib|gems|3.1.0|gems|json-2.6|json.rb:7 in parse/@ruby:|srv|app.rb:44 in load" MAIN,
	"rb_vm_exec/@ruby:|srv|a,b;\"c\"\\.rb:0 in rescue in \"x\"\x01" MAIN,
};
for (int i = 0; i < 4; i++)
	makelog_malloc(log, makelog_stack(log, stacks[i]), 10 + i, 100);
makelog_malloc(log, makelog_source(log, "rb_objspace_alloc/Init_VM"), 3, 50);
makelog_snapshot(log, 1000, "exit");
makelog_close(log);
E
to() {
	"$pmem" export --raw --to "$@" a.log || fail "$*: status $?"
}

to mwrap >out
cat >expected <<'E'
            2100           21 /srv/app.rb:42
            1300           13 /srv/a,b;"c"\.rb
            1200           12 /var/lib/gems/3.1.0/gems/json-2.6/json.rb:7
             150            3 rb_objspace_alloc
E
diff expected out || fail "mwrap"

to collapsed >out
has '^<main> (/srv/app.rb:58);block in <main> (/srv/app.rb:60);Order#total (/srv/app.rb:42);rb_vm_exec;rb_str_resize;malloc 1000$' out
has 'rescue in "x"\\x01 (/srv/a,b:"c"\\.rb);rb_vm_exec;malloc 1300$' out
same 'all of collapsed' 4750 "$(awk '{ sum += $NF } END { print sum }' out)"

for format in csv ndjson speedscope gprof2dot; do
	to $format >out.$format
done
cat >check.py <<'E'
import csv, json
rows = list(csv.DictReader(open("out.csv", newline="")))
assert sum(int(row["live"]) for row in rows) == 4750
lines = {(row["file"], row["line"], row["function"], row["language"]) for row in rows}
odd = '/srv/a,b;"c"\\.rb'
assert lines == {("/srv/app.rb", "42", "Order#total", "ruby"), ("/srv/app.rb", "44", "load", "ruby"),
    (odd, "0", 'rescue in "x"\\x01', "ruby"), ("", "", "", "")}, lines
assert sum(row["where"] == "Order#total (/srv/app.rb:42)" for row in rows) == 2
objects = [json.loads(line) for line in open("out.ndjson")]
sources = [one for one in objects if one["kind"] == "source"]
assert sum(one["live"] for one in sources) == 4750
lines = {(one.get("file"), one.get("line"), one.get("function"), one.get("language")) for one in sources}
assert lines == {("/srv/app.rb", 42, "Order#total", "ruby"), ("/srv/app.rb", 44, "load", "ruby"),
    (odd, 0, 'rescue in "x"\x01', "ruby"), (None, None, None, None)}, lines
assert any(one["stack"][-2:] == ["block in <main> (/srv/app.rb:60)", "<main> (/srv/app.rb:58)"]
    for one in sources)
scope = json.load(open("out.speedscope"))
frames = scope["shared"]["frames"]
assert {"name": "Order#total", "file": "/srv/app.rb", "line": 42} in frames, frames
assert {"name": 'rescue in "x"\x01', "file": odd} in frames, frames
assert {"name": "rb_vm_exec"} in frames
assert sum(scope["profiles"][0]["weights"]) == 4750
dot = json.load(open("out.gprof2dot"))
assert {"name": "Order#total", "module": "/srv/app.rb"} in dot["functions"]
assert {"name": "parse", "module": "/var/lib/gems/3.1.0/gems/json-2.6/json.rb"} in dot["functions"]
assert sum(event["cost"][0] for event in dot["events"]) == 4750
E
python3 check.py || fail "an export is another"

# A function that is called as a line of another file is, in a file that is, too.
sed 's|app.rb:44 in load|a:1 in b.rb:44 in lo\\x3a7 in d [ruby]|' a.log >colon.log
"$pmem" export --raw --to csv colon.log >out
has ',"/srv/a:1 in b.rb",44,"lo:7 in d \[ruby\]",ruby,' out

# Logs of before are as they were.
"$pmem" export --raw --to csv "$log" | head -1 | grep -q 'language' && fail "csv has new columns"
"$pmem" export --raw --to ndjson "$log" | grep -q '"language"' && fail "ndjson has new fields"

to pprof -o out.pb
need go golang-go
go tool pprof -top -lines out.pb >out 2>words || fail "$(cat words)"
for there in 'Order#total /srv/app.rb:42' '<main> /srv/app.rb:58' 'block in <main> /srv/app.rb:60'; do
	has " $there\$" out
done
go tool pprof -raw out.pb >out 2>words || fail "$(cat words)"
has 'Order#total /srv/app.rb:42' out
